package webtest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"meldhall/tournament/people"
	"meldhall/web/api"
)

// namesOf holds names in one script, separated by spaces.
type namesOf struct{ name, given, family string }

// rosterScripts holds twenty given names and twenty family names for each script that occurs in rosters.
var rosterScripts = []namesOf{
	{"Latin", "Anna Björn Chloé Dario Élise Frank Günter Håkon Inês Jörg " +
		"Karl Løve Martín Noël Olga Peter Quirin Rosa Søren Zoë",
		"Bianchi Castañeda Dupré Eriksson Fischer Gonçalves Hübner Iversen Jansen Krüger " +
			"Lefèvre Müller Nuñez Öberg Pérez Rossi Weiß Smith Ågren Young"},
	{"Polish, Czech, Turkish", "Łukasz Małgorzata Grażyna Święto Tomáš Jiří Věra Růžena Ömer İbrahim " +
		"Çağla Şule Ayşegül Oğuz Zdeněk Květa Błażej Żaneta Ümit Děpold",
		"Wójcik Dąbrowski Źrebiec Kłos Gołąb Dvořák Šťastný Žižka Čapek Novotný " +
			"Yıldız Öztürk Şahin Çelik Doğan Kaplanoğlu Jabłoński Piątek Říha Ševčík"},
	{"Vietnamese", "Ánh Bảo Cường Diệu Đức Giang Hằng Hồng Khánh Lệ " +
		"Mỹ Nghĩa Oanh Phượng Quỳnh Sơn Thảo Tuấn Ước Yến",
		"Nguyễn Trần Lê Phạm Hoàng Phan Vũ Võ Đặng Bùi Đỗ Hồ Ngô Dương Lý Đinh Đoàn Huỳnh Lưỡng Trịnh"},
	{"Greek", "Αλέξανδρος Βασίλης Γεώργιος Δήμητρα Ελένη Ζωή Ηλίας Θεόδωρος Ιωάννα Κώστας " +
		"Λυδία Μαρία Νίκος Ξένια Ορέστης Παύλος Ρένα Σοφία Φώτης Χρήστος",
		"Αγγελόπουλος Βλάχος Γεωργίου Δημητρίου Ευαγγέλου Ζαχαρίας Ηλιάδης Θεοδωρίδης Ιωάννου Καραγιάννης " +
			"Λαζαρίδης Μακρής Νικολαΐδης Ξενάκης Οικονόμου Παπαδόπουλος Ράπτης Στεφανίδης Τσιτσάνης Ψαρρός"},
	{"Cyrillic", "Александр Борис Виктория Григорий Дмитрий Екатерина Жанна Зоя Игорь Ксения " +
		"Леонид Мария Николай Ольга Пётр Юлия Софья Татьяна Фёдор Эдуард",
		"Абрамов Белый Щербакова Громов Дьяченко Ёлкин Жуков Зайцев Ильин Королёв " +
			"Лебедев Макаров Новиков Орлов Петров Рыбаков Соколов Цветаева Чехов Шевчук"},
	{"Hebrew", "אברהם בנימין גלית דוד הדס ורד זאב חנה טל יצחק " +
		"כרמל לאה משה נועה סיגל עדי פנינה צבי קרן רחל",
		"אדלר ברקוביץ גולדברג דיין הורוביץ וייס זוהר חדד טננבאום יוסף " +
			"כהן לוי מזרחי נחמני סגל עמר פרץ צור קפלן שטרן"},
	{"Arabic", "أحمد بشرى جمال حسين خديجة دعاء رشيد زينب سامي شيماء " +
		"صفاء ضياء طارق ظافر عائشة غسان فاطمة قاسم كوثر مريم",
		"الخطيب البغدادي الجزائري الحسيني الدوري الرفاعي الزهراني السعيد الشامي الصباغ " +
			"الطائي العمري الغزالي الفارسي القاضي الكعبي المصري النجار الهاشمي پژوهان"},
	{"Japanese", "さくら 陽菜 結衣 葵 凛 蓮 大翔 悠真 湊 樹 翼 健太 美咲 直樹 真由美 龍之介 恵子 ヴァレンティーナ 拓海 遥",
		"佐藤 鈴木 髙橋 田中 伊藤 渡邊 山本 中村 小林 加藤 吉田 齋藤 松本 井上 勘解由小路 清水 長谷川 藤原 岡崎 柳澤"},
	{"Korean", "민준 서연 도윤 하은 시우 지유 예준 수아 주원 채원 건우 다은 현우 유진 태양 소율 승현 나윤 쀼뷁 햏욱",
		"김 이 박 최 정 강 조 윤 장 임 한 오 서 신 권 황 안 송 류 제갈"},
	{"Chinese", "浩然 梓涵 宇轩 欣怡 子墨 雨桐 俊杰 诗涵 明哲 静雯 志強 美玲 國華 淑芬 建宏 雅婷 曉峰 慕蓉 龍鳳 麗娟",
		"王 李 張 刘 陳 杨 趙 黄 周 吳 徐 孙 欧阳 司马 諸葛 上官 鄭 謝 馮 蕭"},
}

// rosterIn returns the roster of 100 players in one script, or in all of them.
func rosterIn(script string) string {
	var list strings.Builder
	list.WriteString("name,country\n")
	for i := range 100 {
		for k, s := range rosterScripts {
			if s.name == script || script == "mixed" && i%len(rosterScripts) == k {
				given, family := strings.Fields(s.given), strings.Fields(s.family)
				fmt.Fprintf(&list, "%s %s,IT\n", given[i%20], family[(i+i/20)%20])
			}
		}
	}
	return list.String()
}

// newStanding returns a tournament of 100 players whose first table has a result.
func newStanding(t *testing.T, roster string) *event {
	t.Helper()
	e := newPublished(t, "Open of the lake", roster, map[string]any{"turn_seconds": 0})
	for _, seat := range e.round.Tables[0].Seats {
		var joined api.JoinedView
		e.public().must(http.MethodPost, "/join", people.Join{Code: seat.Code}, &joined)
		e.players[seat.Player.ID] = &caller{e.hall, fmt.Sprintf("seat %d", seat.Seat), joined.Token}
	}
	e.realTables(1)
	e.start()
	e.count(0, e.round.Tables[0].Games[0].ID)
	e.confirmed(e.round.Tables[0].Games[0].ID)
	return e
}

// TestBrowserWeight checks, for each script of names, how much the first view of the standings loads on a device
// without fonts.
func TestBrowserWeight(t *testing.T) {
	b := startChromium(t)
	for _, script := range append(rosterScripts, namesOf{name: "mixed"}) {
		t.Run(script.name, func(t *testing.T) {
			e := newStanding(t, rosterIn(script.name))
			p := b.tab(t, 390, 844)
			sum := p.traffic()
			p.open(fmt.Sprintf("%s/events/%d", e.http.URL, e.id))
			p.wait(`document.readyState === "complete" && ` + isLive + ` && document.fonts.status === "loaded"`)
			requests, bytes := sum.sum()
			t.Logf("%-24s %.1f KiB in %d requests: %s", script.name, bytes/1024, requests, p.loaded())
			most := 120.0
			if script.name == "mixed" {
				most = 210
			}
			if bytes/1024 > most || requests < 8 {
				t.Errorf("%.1f KiB in %d requests, want at most %.0f KiB", bytes/1024, requests, most)
			}
		})
	}
}

// TestBrowserFirstPaint checks that at 400 kbit/s with a latency of 400 ms, the standings with names in all scripts are
// first painted within 2 s, before their fonts are requested.
func TestBrowserFirstPaint(t *testing.T) {
	b := startChromium(t)
	e := newStanding(t, rosterIn("mixed"))
	p := b.tab(t, 390, 844)
	p.network(400, 400e3)
	p.open(fmt.Sprintf("%s/events/%d", e.http.URL, e.id))
	p.wait(`performance.getEntriesByName("first-contentful-paint").length && document.fonts.status === "loaded"`)
	paint := eval[float64](p, `performance.getEntriesByName("first-contentful-paint")[0].startTime`)
	t.Log(p.loaded())
	held(t, "first paint", time.Duration(paint*float64(time.Millisecond)), 2*time.Second)
	const early = `performance.getEntriesByType("resource")
		.filter((r) => /woff2|ttf/.test(r.name) && r.responseEnd < %f).map((r) => r.name)`
	if got := eval[[]string](p, fmt.Sprintf(early, paint)); len(got) > 0 {
		t.Errorf("the first paint waits for %q", got)
	}
}

// loaded lists the files of the page with their size in KiB and the milliseconds of their requests.
func (p *tab) loaded() string {
	return eval[string](p, `[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
		.map((r) => new URL(r.name).pathname.split("/").pop() + " " + (r.transferSize / 1024).toFixed(1) + " at " +
			r.startTime.toFixed() + "-" + r.responseEnd.toFixed()).join(", ")`)
}

// TestBrowserSignsQuickly checks how long a tablet takes to sign at a sixth of the processor's speed.
func TestBrowserSignsQuickly(t *testing.T) {
	b := startChromium(t)
	e := newEvent(t, 4, map[string]any{"turn_seconds": 600})
	e.start()
	p := b.tab(t, 800, 1280)
	p.seat(e.http.URL, e.at(0, 0).token)
	p.open(e.http.URL + "/play/game")
	p.slow(6)
	const signs = `(() => {
		const times = [];
		for (let i = 0; i < 12; i++) {
			const began = performance.now();
			let signed = "";
			const detail = { url: "/play/game/1/ready", body: {}, done: (text) => (signed = text) };
			document.dispatchEvent(new CustomEvent("sign", { cancelable: true, detail }));
			if (!signed) return [];
			times.push(performance.now() - began);
		}
		return times;
	})()`
	p.wait(`performance.getEntriesByType("resource").some((r) => r.name.endsWith("/play/key") && r.responseEnd > 0)`)
	times := eval[[]float64](p, signs)
	if len(times) == 0 {
		t.Fatal("the tablet does not sign")
	}
	slices.Sort(times)
	t.Logf("a signature takes %.1f ms, at most %.1f ms", times[len(times)/2], times[len(times)-1])
	held(t, "a signature", time.Duration(times[len(times)/2]*float64(time.Millisecond)), 20*time.Millisecond)
}
