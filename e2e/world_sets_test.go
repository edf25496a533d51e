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
func (fullSet) look() (string, args) { return "browser_snapshot", nil }

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

func (facadeSet) call(s taskStep, _ func(element) string) (string, args, bool) {
	with := args{"action": s.verb}
	if !byRole(s) || len(s.fields) > 1 {
		return "", nil, false
	}
	if len(s.fields) > 0 {
		e := s.fields[0].element
		with["selector"] = "role=" + e.role + `[name="` + e.name + `"]`
	}
	switch s.verb {
	case "click":
	case "hover":
	case "type":
		with["text"], with["clear"] = s.fields[0].value, true
	case "select":
		delete(with, "value")
		with["values"] = strings.Split(s.fields[0].value, " | ")
	case "press":
		if strings.Contains(s.keys, " ") {
			return "", nil, false
		}
		with["key"] = s.keys
	default:
		return "", nil, false
	}
	return "browser_interact", with, true
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
