package e2e

import "strings"

// fullSet says steps in the full set of tools.
type fullSet struct{}

func (fullSet) name() string { return "full" }
func (fullSet) open(url string) (string, args) {
	return "browser_navigate", args{"url": url}
}
func (fullSet) read(script string) (string, args) {
	return "browser_evaluate", args{"script": script}
}
func (fullSet) look() (string, args)      { return "browser_snapshot", nil }
func (fullSet) steps(one task) []taskStep { return one.steps }

func (fullSet) call(s taskStep, ref func(element) string) (string, args, bool) {
	with := args{}
	if len(s.fields) > 0 {
		with["ref"] = ref(s.fields[0].element)
	}
	switch s.verb {
	case "click":
	case "double":
		with["count"] = 2
	case "right":
		with["button"] = "right"
	case "hover":
		return "browser_hover", with, true
	case "type", "submit":
		with["text"], with["clear"], with["submit"] = s.fields[0].value, true, s.verb == "submit"
		return "browser_type", with, true
	case "select":
		with["values"] = strings.Split(s.fields[0].value, " | ")
		return "browser_select", with, true
	case "fill":
		var list []args
		for _, f := range s.fields {
			list = append(list, args{"ref": ref(f.element), "value": f.value})
		}
		return "browser_fill_form", args{"fields": list}, true
	case "press":
		with["keys"] = s.keys
		return "browser_press", with, true
	case "scroll":
		with["direction"] = s.keys
		if s.keys == "top" || s.keys == "bottom" {
			delete(with, "direction")
			with["to"] = s.keys
		}
		return "browser_scroll", with, true
	case "drag":
		with["toRef"] = ref(s.to)
		return "browser_drag", with, true
	case "upload":
		with["files"] = []string{s.fields[0].value}
		return "browser_upload", with, true
	}
	return "browser_click", with, true
}

// facadeSet says steps in the nine tools; elements by role and name.
type facadeSet struct{}

func (facadeSet) name() string { return "facade" }
func (facadeSet) open(url string) (string, args) {
	return "browser_navigate", args{"action": "goto", "url": url}
}
func (facadeSet) read(script string) (string, args) {
	return "browser_execute", args{"action": "evaluate", "code": script}
}
func (facadeSet) look() (string, args) { return "browser_inspect", args{"action": "outline"} }

func (facadeSet) steps(one task) []taskStep { return apart(one, false) }

func (facadeSet) call(s taskStep, _ func(element) string) (string, args, bool) {
	with := args{"action": s.verb}
	if !byRole(s) {
		return "", nil, false
	}
	if len(s.fields) > 0 {
		with["selector"] = selectorOf(s.fields[0].element)
	}
	switch s.verb {
	case "click", "hover":
	case "double":
		with["action"], with["click_count"] = "click", 2
	case "right":
		with["action"], with["button"] = "click", "right"
	case "type":
		with["text"], with["clear"] = s.fields[0].value, true
	case "select":
		with["values"] = strings.Split(s.fields[0].value, " | ")
	case "fill":
		delete(with, "selector")
		var list []args
		for _, f := range s.fields {
			list = append(list, args{"selector": selectorOf(f.element), "value": f.value})
		}
		with["fields"] = list
	case "press":
		keys := strings.Split(strings.ReplaceAll(s.keys, "ControlOrMeta", "Control"), "+")
		with["key"] = keys[len(keys)-1]
		var modifiers []string
		for _, m := range keys[:len(keys)-1] {
			modifiers = append(modifiers, map[string]string{"Control": "ctrl", "Alt": "alt", "Shift": "shift", "Meta": "meta"}[m])
		}
		if modifiers != nil {
			with["modifiers"] = modifiers
		}
	default:
		return "", nil, false
	}
	return "browser_interact", with, true
}

func selectorOf(e element) string { return "role=" + e.role + `[name="` + e.name + `"]` }

// apart takes steps apart that a set has no single call for: Enter after a text, one
// key after the other, and, if it is wanted, one field after the other.
func apart(one task, fields bool) (steps []taskStep) {
	if one.full {
		return nil
	}
	for _, s := range one.steps {
		parts := []taskStep{s}
		switch keys := strings.Fields(s.keys); {
		case s.verb == "submit":
			parts = []taskStep{{verb: "type", fields: s.fields}, {verb: "press", keys: "Enter", fields: s.fields}}
		case s.verb == "press" && len(keys) > 1:
			parts = nil
			for i, key := range keys {
				part := taskStep{verb: "press", keys: key}
				if i == 0 {
					part.fields = s.fields
				}
				parts = append(parts, part)
			}
		case s.verb == "fill" && fields:
			parts = nil
			for _, f := range s.fields {
				parts = append(parts, taskStep{verb: "fill", fields: []field{f}})
			}
		}
		for i := range parts {
			parts[i].model, parts[i].says, parts[i].written = "", nil, s.written
		}
		parts[len(parts)-1].model = s.model
		steps = append(steps, parts...)
	}
	return steps
}

// byRole reports whether each element of a step is said by role and name alone.
func byRole(s taskStep) bool {
	for _, f := range s.fields {
		if f.element.around != "" || f.element.name == "" {
			return false
		}
	}
	return true
}

// minimalSet says steps in the four tools; elements by role and name.
type minimalSet struct{}

func (minimalSet) name() string                   { return "minimal" }
func (minimalSet) open(url string) (string, args) { return "navigate", args{"url": url} }
func (minimalSet) read(string) (string, args)     { return "", nil }
func (minimalSet) look() (string, args)           { return "snapshot", nil }
func (minimalSet) steps(one task) []taskStep      { return apart(one, true) }

func (minimalSet) call(s taskStep, _ func(element) string) (string, args, bool) {
	with := args{"action": s.verb}
	if !byRole(s) {
		return "", nil, false
	}
	value, role := "", ""
	if len(s.fields) > 0 {
		value, role = s.fields[0].value, s.fields[0].element.role
		with["element"] = args{"role": role, "name": s.fields[0].element.name}
	}
	verb := s.verb
	if verb == "fill" {
		verb = map[string]string{"checkbox": "click", "radio": "click", "switch": "click", "combobox": "select", "listbox": "select"}[role]
		if verb == "" {
			verb = "type"
		}
	}
	switch with["action"] = verb; verb {
	case "click", "hover":
	case "type":
		with["text"] = value
	case "select":
		with["values"] = strings.Split(value, " | ")
	case "press":
		with["key"] = s.keys
	default:
		return "", nil, false
	}
	return "interact", with, true
}

// dynamicSet says steps in the tools of pages.
type dynamicSet struct{ opened bool }

func (*dynamicSet) name() string               { return "dynamic" }
func (*dynamicSet) read(string) (string, args) { return "", nil }
func (*dynamicSet) look() (string, args)       { return "read_page", nil }
func (*dynamicSet) steps(one task) []taskStep  { return one.pages }

func (d *dynamicSet) open(url string) (string, args) {
	if d.opened {
		return "go_to", args{"url": url}
	}
	d.opened = true
	return "open_tab", args{"url": url}
}

func (*dynamicSet) call(s taskStep, _ func(element) string) (string, args, bool) {
	return s.tool, s.with, true
}
