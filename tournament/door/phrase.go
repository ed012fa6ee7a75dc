package door

import "meldhall/tournament/refuse"

// Phrase is something to be said to people, in no language: the key of a text and its arguments. An argument is a number, a
// text as it was typed, a Word, a Named, a Person, a format.Format, a Phrase, a list of phrases, or Sentences. A phrase without a key is its
// argument "text" alone.
type Phrase struct {
	Key  string
	Args refuse.Args
}

// Word is an argument that is itself the key of a text.
type Word string

// Named is an argument that is a name of a format or a rule set: it has a text at Key+Name, or is what an organizer called it.
type Named struct{ Key, Name string }

// Person is an argument that is a name, which keeps its own direction of writing inside a sentence.
type Person string

// Say makes a phrase. The arguments are given as name, value, name, value.
func Say(key string, nameValues ...any) Phrase {
	p := Phrase{Key: key}
	for i := 0; i+1 < len(nameValues); i += 2 {
		if p.Args == nil {
			p.Args = refuse.Args{}
		}
		p.Args[nameValues[i].(string)] = nameValues[i+1]
	}
	return p
}

// Typed says a text as it was typed; nothing for an empty one.
func Typed(text string) []Phrase {
	if text == "" {
		return nil
	}
	return []Phrase{Tell(text)}
}

// Tell says an argument alone.
func Tell(v any) Phrase { return Phrase{Args: refuse.Args{"text": v}} }

// SayWord says the text of a key; nothing for an empty one.
func SayWord(prefix, key string) []Phrase {
	if key == "" {
		return nil
	}
	return []Phrase{{Key: prefix + key}}
}

// Sentences is an argument: whole sentences one after the other.
type Sentences []Phrase
