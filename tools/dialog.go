package tools

import (
	"cmp"
	"context"
	"strings"

	"github.com/tabrelay/tabrelay/adapter"
)

// replyByKey answers the open dialog in sets without a tool for that: as for a
// person, pressing Enter accepts and Escape dismisses. All else has to wait. It
// returns what it did.
func (c *call) replyByKey(ctx context.Context, d *adapter.Dialog, action, key, text string) (word string, err error) {
	a := adapter.DialogAnswer{Text: cmp.Or(text, d.Default)}
	switch key = strings.ToLower(key); {
	case action == "press" && (key == "enter" || key == "return"):
		word, a.Accept = "accepted", true
	case action == "press" && (key == "escape" || key == "esc"):
		word = "dismissed"
	default:
		return "", d.Blocking()
	}
	_, err = c.page.AnswerDialog(ctx, a)
	return word, err
}
