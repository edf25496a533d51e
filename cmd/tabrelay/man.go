package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
)

type manCommand struct{}

func (manCommand) Run(_ context.Context, c console) error {
	parser, err := newParser(c, nil)
	if err != nil {
		return err
	}
	writeMan(c.stdout, parser.Model)
	return nil
}

// writeMan writes the manual page of all commands, in man's own language.
func writeMan(w io.Writer, app *kong.Application) {
	fmt.Fprintf(w, ".TH TABRELAY 1 \"\" %q\n", versionLine())
	fmt.Fprintf(w, ".SH NAME\ntabrelay \\- lets AI agents work in the browser that you already use\n")
	fmt.Fprintf(w, ".SH SYNOPSIS\n.B tabrelay\n[\\fICOMMAND\\fR] [\\fIFLAGS\\fR]\n")
	fmt.Fprintf(w, ".SH DESCRIPTION\n%s\nWithout a command, tabrelay is an MCP server on its standard input and output, as an MCP client starts it; then its flags are those of\n.BR serve .\n", roff(app.Help))
	fmt.Fprintln(w, ".SH COMMANDS")
	for _, command := range app.Leaves(true) {
		fmt.Fprintf(w, ".SS tabrelay %s\n%s\n", roff(strings.TrimPrefix(command.Summary(), "tabrelay ")), roff(command.Help))
		for _, arg := range command.Positional {
			fmt.Fprintf(w, ".TP\n.I %s\n%s\n", roff(arg.Summary()), roff(arg.Help))
		}
		for _, flag := range flagsOf(command) {
			value := ""
			if !flag.IsBool() {
				value = "=\\fI" + roff(flag.FormatPlaceHolder()) + "\\fR"
			}
			fmt.Fprintf(w, ".TP\n.B \\-\\-%s%s\n%s\n", roff(flag.Name), value, roff(flag.Help))
		}
	}
	fmt.Fprint(w, `.SH ENVIRONMENT
Settings of agents can also come from the environment, as TABRELAY_ and the name of the flag:
.B TABRELAY_HEADLESS=true
is
.BR \-\-headless .
.B TABRELAY_STATE
names another state folder.
.SH EXIT STATUS
0 if it worked, 1 if it did not, 2 for a wrong command line.
.SH SEE ALSO
.B tabrelay help
.IR COMMAND ,
.B tabrelay doctor
`)
}

// roff writes a text so that man prints just that.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n", " ").Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		return `\&` + text
	}
	return text
}
