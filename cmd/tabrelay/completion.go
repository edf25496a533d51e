package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
)

type completionCommand struct {
	Shell string `arg:"" optional:"" help:"The shell: bash, zsh or fish."`
}

func (o completionCommand) Run(_ context.Context, c console) error {
	writers := map[string]func(io.Writer, *kong.Application){"bash": completeBash, "zsh": completeZsh, "fish": completeFish}
	write := writers[o.Shell]
	if write == nil {
		return fmt.Errorf("which shell? bash, zsh or fish: %w", errUsage)
	}
	parser, err := newParser(c, nil)
	if err != nil {
		return err
	}
	write(c.stdout, parser.Model)
	return nil
}

// flagsOf are the flags that a command's help shows.
func flagsOf(command *kong.Node) (list []*kong.Flag) {
	for _, flag := range command.Flags {
		if !flag.Hidden {
			list = append(list, flag)
		}
	}
	return list
}

// flagWords are those flags, as words of a line.
func flagWords(command *kong.Node) string {
	words := []string{"--help"}
	for _, flag := range flagsOf(command) {
		words = append(words, "--"+flag.Name)
	}
	return strings.Join(words, " ")
}

func commandWords(app *kong.Application) string {
	return strings.Join(commandNames(app.Node), " ")
}

func completeBash(w io.Writer, app *kong.Application) {
	fmt.Fprintf(w, `# source <(tabrelay completion bash)
_tabrelay() {
  local word=${COMP_WORDS[COMP_CWORD]} words
  if [ "$COMP_CWORD" = 1 ] || [ "${COMP_WORDS[1]}" = help ]; then
    words='%s'
  fi
  case ${COMP_WORDS[1]} in
`, commandWords(app))
	for _, command := range app.Children {
		fmt.Fprintf(w, "  %s) [[ $word == -* ]] && words='%s' ;;\n", command.Name, flagWords(command))
	}
	fmt.Fprint(w, `  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _tabrelay tabrelay
`)
}

func completeZsh(w io.Writer, app *kong.Application) {
	fmt.Fprintf(w, `#compdef tabrelay
# source <(tabrelay completion zsh)
_tabrelay() {
  if (( CURRENT == 2 )) || [[ $words[2] == help ]]; then
    compadd -- %s
    return
  fi
  case $words[2] in
`, commandWords(app))
	for _, command := range app.Children {
		fmt.Fprintf(w, "  %s) [[ $PREFIX == -* ]] && compadd -- %s || _files ;;\n", command.Name, flagWords(command))
	}
	fmt.Fprint(w, `  esac
}
compdef _tabrelay tabrelay
`)
}

func completeFish(w io.Writer, app *kong.Application) {
	quote := func(s string) string {
		return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) + "'"
	}
	fmt.Fprintln(w, "# tabrelay completion fish | source")
	for _, command := range app.Children {
		fmt.Fprintf(w, "complete -c tabrelay -f -n __fish_use_subcommand -a %s -d %s\n", command.Name, quote(command.Help))
		for _, flag := range flagsOf(command) {
			fmt.Fprintf(w, "complete -c tabrelay -n '__fish_seen_subcommand_from %s' -l %s -d %s\n", command.Name, flag.Name, quote(flag.Help))
		}
	}
}
