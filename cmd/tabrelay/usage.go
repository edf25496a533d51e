package main

import (
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"
)

// values read what flags are given, with errors in words of ours.
var values = []kong.Option{
	kong.KindMapper(reflect.String, read(func(s string) (string, error) { return s, nil })),
	kong.KindMapper(reflect.Int, read(func(s string) (int, error) {
		n, err := strconv.Atoi(s)
		if err != nil {
			return 0, fmt.Errorf("%q is not a whole number", s)
		}
		return n, nil
	})),
	kong.TypeMapper(reflect.TypeFor[time.Duration](), read(func(s string) (time.Duration, error) {
		d, err := time.ParseDuration(s)
		if err != nil {
			return 0, fmt.Errorf("%q is not a time: write it as 90s, 10m or 1h30m", s)
		}
		return d, nil
	})),
	kong.TypeMapper(reflect.TypeFor[slog.Level](), read(func(s string) (slog.Level, error) {
		var level slog.Level
		if level.UnmarshalText([]byte(s)) != nil {
			return level, fmt.Errorf("%q is not a level: choose debug, info, warn or error", s)
		}
		return level, nil
	})),
	kong.KindMapper(reflect.Bool, yesNo{}),
}

// read makes a mapper of what reads a text.
func read[T any](of func(string) (T, error)) kong.Mapper {
	return kong.MapperFunc(func(ctx *kong.DecodeContext, target reflect.Value) error {
		token, err := ctx.Scan.PopValue("")
		if err != nil {
			return errors.New("a value is missing")
		}
		switch reflect.ValueOf(token.Value).Kind() {
		case reflect.Slice, reflect.Map: // of a file
			return errors.New("it takes a single value")
		}
		v, err := of(fmt.Sprint(token.Value))
		if err == nil {
			target.Set(reflect.ValueOf(v).Convert(target.Type()))
		}
		return err
	})
}

// yesNo reads flags that need no value.
type yesNo struct{}

func (yesNo) IsBool() bool { return true }

func (yesNo) Decode(ctx *kong.DecodeContext, target reflect.Value) error {
	if ctx.Scan.Peek().Type != kong.FlagValueToken {
		target.SetBool(true)
		return nil
	}
	given := fmt.Sprint(ctx.Scan.Pop().Value)
	switch strings.ToLower(given) {
	case "true", "1", "yes":
		target.SetBool(true)
	case "false", "0", "no":
		target.SetBool(false)
	default:
		return fmt.Errorf("%q is not true or false", given)
	}
	return nil
}

var (
	unknownFlag     = regexp.MustCompile(`^unknown flag (-[^\s,]+)`)
	unknownArgument = regexp.MustCompile(`^unexpected argument (\S+?)(?:,|$)`)
	otherNames      = regexp.MustCompile(` \([^)]*\)`)
	misplacedFlag   = regexp.MustCompile(`^flag (--\S+) applies to the default command`)
)

// helpOf is the command line that explains a command.
func helpOf(command *kong.Node) string {
	return otherNames.ReplaceAllString(command.FullPath(), "") + " --help"
}

// mistake says what is wrong with a command line, what comes closest to it, and
// which help tells more.
func mistake(wrong misread) (help string, err error) {
	text, command := wrong.Error(), wrong.line
	app, chosen, name := command.Model.Node, command.Selected(), "serve"
	help = "tabrelay serve --help"
	if chosen != nil && chosen.Name != name {
		name, help = chosen.Name, helpOf(chosen)
	}
	if m := unknownArgument.FindStringSubmatch(text); m != nil {
		if name != "serve" || command.Args[0] == "serve" {
			return help, fmt.Errorf("%s does not take %q", chosen.Name, m[1])
		}
		return "tabrelay --help", fmt.Errorf("there is no command %q%s", m[1], meant(m[1], commandNames(app)))
	}
	if m := misplacedFlag.FindStringSubmatch(text); m != nil {
		return "tabrelay --help", fmt.Errorf("%s stands before the command: write it after", m[1])
	}
	m := unknownFlag.FindStringSubmatch(text)
	if m == nil {
		return help, errors.New(text)
	}
	var flags, owners []string
	for _, flag := range command.Flags() {
		flags = append(flags, "--"+flag.Name)
	}
	for _, node := range app.Children {
		for _, flag := range node.Flags {
			if "--"+flag.Name == m[1] && !flag.Hidden {
				owners = append(owners, node.Name)
			}
			if chosen == nil && node.Name == "serve" {
				flags = append(flags, "--"+flag.Name)
			}
		}
	}
	if len(owners) > 0 {
		return help, fmt.Errorf("%s has no flag %s, which belongs to %s", name, m[1], strings.Join(owners, ", "))
	}
	if name == "serve" {
		return help, fmt.Errorf("there is no flag %s%s", m[1], meant(m[1], flags))
	}
	return help, fmt.Errorf("%s has no flag %s%s", name, m[1], meant(m[1], flags))
}

// meant names what comes closest to a word, if anything does.
func meant(word string, names []string) string {
	best, least := "", len(word)/2+1
	for _, name := range names {
		d := distance(word, name)
		if strings.HasPrefix(name, word) {
			d = 1
		}
		if d < least {
			best, least = name, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %s?", best)
}

// distance is how many letters have to be put in, left out or exchanged to make
// one word of another.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			next := min(row[j]+1, row[j+1]+1)
			if a[i] == b[j] {
				next = min(next, before)
			} else {
				next = min(next, before+1)
			}
			before, row[j+1] = row[j+1], next
		}
	}
	return row[len(b)]
}
