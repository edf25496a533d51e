package tools

import (
	"fmt"
	"strings"

	"github.com/tabrelay/tabrelay/adapter/lines"
)

type routeArgs struct {
	Action  string            `json:"action" enum:"add,list,remove"`
	Pattern string            `json:"pattern,omitempty" doc:"address with *, such as /api/*; remove: omit for all"`
	Status  int               `json:"status,omitempty" min:"200"`
	Body    *string           `json:"body,omitempty"`
	Headers map[string]string `json:"headers,omitempty" doc:"without a body: override response headers"`
	Block   bool              `json:"block,omitempty"`
	onPage
}

func (a *routeArgs) check() error {
	if a.Action == "add" && a.Pattern == "" {
		return invalid(`argument "pattern" is missing: give an address with *, such as "/api/*"`)
	}
	return nil
}

type routes struct {
	Action  string   `json:"action"`
	Added   string   `json:"added,omitempty"`
	Removed int      `json:"removed,omitempty"`
	Routes  []string `json:"routes"`
}

func (v routes) text() string {
	switch v.Action {
	case "add":
		return "added " + v.Added
	case "remove":
		return fmt.Sprintf("removed %s; %d left", lines.Amount(v.Removed, "route"), len(v.Routes))
	}
	if len(v.Routes) == 0 {
		return "no routes"
	}
	return "routes (the last match wins):\n" + strings.Join(v.Routes, "\n")
}
