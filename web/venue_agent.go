package web

import "strings"

// The names of browsers and systems, by what they put into their name. The first that fits is it: Chrome says that it is
// Safari too, and an iPad of today that it is a Mac.
var (
	browsers = [][2]string{{"Edg", "Edge"}, {"OPR/", "Opera"}, {"SamsungBrowser", "Samsung Internet"}, {"CriOS", "Chrome"}, {"FxiOS", "Firefox"},
		{"Firefox/", "Firefox"}, {"Chrome/", "Chrome"}, {"Safari/", "Safari"}, {"curl/", "curl"}, {"Go-http-client", "Go"}, {"python", "Python"}}
	systems = [][2]string{{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"CrOS", "ChromeOS"}, {"Windows", "Windows"},
		{"Macintosh", "Mac"}, {"Linux", "Linux"}}
)

// agentNames are the browser and the system that a browser's name of itself tells, empty when it tells none.
func agentNames(agent string) (browser, system string) {
	named := func(list [][2]string) string {
		for _, one := range list {
			if strings.Contains(agent, one[0]) {
				return one[1]
			}
		}
		return ""
	}
	return named(browsers), named(systems)
}

// agentWords are the browser and the system that an agent's name tells.
func agentWords(agent string) string {
	browser, system := agentNames(agent)
	return strings.Trim(browser+", "+system, ", ")
}
