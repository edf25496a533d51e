package settings

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tabrelay/tabrelay/cmd/internal/state"
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
	if p.Files.Roots != nil {
		if err := a.bindRoots(p.Files, whole); err != nil {
			return err
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

// bindRoots narrows the folders that files may be read from. Agents read files of the
// output folder, too, and with --allow-file those of all others.
func (a *Agent) bindRoots(files tools.PolicyFiles, whole func(string) string) error {
	roots, most := []string{}, "the policy allows no folder"
	for _, dir := range files.Roots {
		roots = append(roots, whole(dir))
		most = "the policy allows only " + strings.Join(roots, ", ")
	}
	within := func(dir string) bool {
		return slices.ContainsFunc(roots, func(root string) bool { return holds(root, dir) })
	}
	for _, dir := range a.Root {
		if !within(dir) {
			return fmt.Errorf("--root %s: %s", dir, most)
		}
	}
	switch {
	case a.AllowFile:
		return fmt.Errorf("--allow-file: %s", most)
	case files.Output == "" && a.Output != "" && !within(a.Output):
		return fmt.Errorf("--output %s, which agents read, too: %s", a.Output, most)
	case len(a.Root) == 0:
		a.Root = roots
	}
	return nil
}

func readPolicy(path string) ([]byte, error) {
	text, err := state.ReadRegular(path, maxPolicy+1)
	if err == nil && len(text) > maxPolicy {
		err = fmt.Errorf("it has more than %d bytes", maxPolicy)
	}
	return text, err
}
