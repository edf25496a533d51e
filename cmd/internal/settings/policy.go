package settings

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tabrelay/tabrelay/tools"
)

// maxPolicy is how many bytes a policy file may have.
const maxPolicy = 1 << 20

// bind narrows the settings to what the policy file allows, if there is one. Its
// folders are where the file is, unless they are whole paths.
func (a *Agent) bind() error {
	if a.Policy == "" {
		return nil
	}
	path, err := filepath.Abs(a.Policy)
	if err != nil {
		return err
	}
	text, err := readPolicy(path)
	if err != nil {
		return err
	}
	p, err := tools.ReadPolicy(text)
	if err != nil {
		return err
	}
	a.Policy = path
	if err := a.Bind(p); err != nil {
		return err
	}
	whole := func(dir string) string {
		if filepath.IsAbs(dir) {
			return dir
		}
		return filepath.Join(filepath.Dir(path), dir)
	}
	roots := make([]string, len(p.Files.Roots))
	for i, dir := range p.Files.Roots {
		roots[i] = whole(dir)
	}
	if p.Files.Roots != nil {
		for _, dir := range a.Root {
			if !slices.ContainsFunc(roots, func(root string) bool { return holds(root, dir) }) {
				return fmt.Errorf("--root %s: the policy allows only %s", dir, strings.Join(append(roots, "no folder")[:max(1, len(roots))], ", "))
			}
		}
		if len(a.Root) == 0 {
			a.Root = roots
		}
	}
	if p.Files.Output == "" {
		return nil
	}
	if output := whole(p.Files.Output); a.Output == "" {
		a.Output = output
	} else if !holds(output, a.Output) {
		return fmt.Errorf("--output %s: the policy allows only %s", a.Output, output)
	}
	return nil
}

func readPolicy(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxPolicy+1))
	if err == nil && len(text) > maxPolicy {
		err = fmt.Errorf("it has more than %d bytes", maxPolicy)
	}
	return text, err
}
