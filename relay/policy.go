package relay

import (
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// policy is what may be forwarded to the browser: methods, and what their
// arguments must be. The extension enforces the same table, and knows more: which
// sites are shared. Here it is for an error that comes sooner.
type policy map[string]rule

type rule struct {
	On   []string          `json:"on"`   // kinds of target; all if empty
	Args map[string]string `json:"args"` // path of an argument to the name of its check
}

// parsePolicy reads the extension's policy.json. Without a table everything may be
// forwarded; a broken one lets nothing through.
func parsePolicy(data []byte) policy {
	if data == nil {
		return nil
	}
	var file struct {
		Methods policy `json:"methods"`
	}
	if json.Unmarshal(data, &file) != nil || file.Methods == nil {
		return policy{}
	}
	return file.Methods
}

// refuse returns why a method is not forwarded to a target, nil if it may be.
func (p policy) refuse(kind, method string, params []byte) *fault {
	if p == nil {
		return nil
	}
	r, ok := p[method]
	if !ok {
		return failure(codeMethod, "'%s' wasn't found: Tabrelay does not forward this method", method)
	}
	if len(r.On) > 0 && !slices.Contains(r.On, kind) {
		return failure(codeMethod, "'%s' wasn't found: targets of type %s do not have this method", method, kind)
	}
	for path, name := range r.Args {
		check, ok := checks[name]
		if !ok || strings.Contains(path, ".") {
			continue // the extension looks
		}
		v := member(params, path)
		if v == nil || string(v) == "null" {
			continue
		}
		if s := text(v); s == nil || !check.fits(string(s)) {
			return failure(codeServer, "'%s' is refused: %s must be %s", method, path, check.what)
		}
	}
	return nil
}

var checks = map[string]struct {
	fits func(string) bool
	what string
}{
	"address":    {address, "an http, https, data, blob or about:blank address"},
	"origin":     {webOrigin, "an http or https origin with a host"},
	"storageKey": {func(key string) bool { first, _, _ := strings.Cut(key, "^"); return webOrigin(first) }, "the storage key of an http or https site"},
}

// address reports whether a tab may be sent to an address. Of a file the extension
// decides, which knows whether it may.
func address(s string) bool {
	if s == "" || s == "about:blank" || strings.HasPrefix(s, "about:blank#") {
		return true
	}
	scheme, _, _ := strings.Cut(s, ":")
	return eligible(scheme)
}

// schemes are those of the pages that may be worked with, as extension/addresses.js
// has them; file counts where the person allows it.
var schemes = []string{"http", "https", "data", "blob", "file"}

// eligible reports whether pages of a scheme may be worked with.
func eligible(scheme string) bool { return slices.Contains(schemes, strings.ToLower(scheme)) }

// opensFile reports whether a command sends a tab to a file.
func (p policy) opensFile(method string, params []byte) bool {
	for path, name := range p[method].Args {
		if name == "address" && !strings.Contains(path, ".") && isFile(string(text(member(params, path)))) {
			return true
		}
	}
	return false
}

// isFile reports whether Chrome takes s for a file: address, as it reads URLs:
// spaces and control characters before them and line ends within do not count.
func isFile(s string) bool {
	s = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(s)
	s = strings.TrimLeftFunc(s, func(r rune) bool { return r <= ' ' })
	return strings.HasPrefix(strings.ToLower(s), "file:")
}

var originForm = regexp.MustCompile(`^(?i:https?)://[^\s/?#*%@\\]+/?$`)

// webOrigin reports whether s is an http or https origin with a host. Chrome takes
// anything else for no filter at all.
func webOrigin(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Hostname() != "" && originForm.MatchString(s)
}
