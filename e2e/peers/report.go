package main

import (
	"cmp"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"strings"
	"time"
)

func (m measured) median() time.Duration { return m.at(50) }

// at is the time that a share of all, in percent, stays below.
func (m measured) at(percent int) time.Duration {
	if len(m.times) == 0 {
		return 0
	}
	return m.times[(len(m.times)-1)*percent/100]
}

// String is what stands in the table.
func (m measured) String() string {
	switch {
	case m.fault != "":
		return "fails: " + fmt.Sprintf("%.80s", strings.ReplaceAll(m.fault, "|", `\|`))
	case len(m.times) == 0:
		return m.text
	}
	s := told(m.median())
	if len(m.times) > 2 {
		s += fmt.Sprintf(" (%s–%s)", told(m.at(10)), told(m.at(90)))
	}
	if m.text != "" {
		s += ", " + m.text
	}
	return s
}

func told(d time.Duration) string {
	ms := float64(d.Microseconds()) / 1000
	if ms < 10 {
		return fmt.Sprintf("%.1f ms", ms)
	}
	return fmt.Sprintf("%.0f ms", ms)
}

// table is the results as Markdown, with where another is ahead.
func table(results []result) string {
	var b strings.Builder
	b.WriteString("| |")
	for _, r := range results {
		fmt.Fprintf(&b, " %s %s |", r.name, r.version)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(results)) + "\n")
	var behind []string
	for _, step := range steps {
		fmt.Fprintf(&b, "| %s |", step)
		own, best := results[0].steps[step], results[0]
		for _, r := range results {
			m := r.steps[step]
			fmt.Fprintf(&b, " %v |", m)
			if len(m.times) > 0 && m.fault == "" && (own.fault != "" || m.median() < own.median()) && m.median() < cmp.Or(best.steps[step].median(), m.median()+1) {
				best = r
			}
		}
		b.WriteByte('\n')
		if best.name != results[0].name {
			behind = append(behind, fmt.Sprintf("%s (%s)", step, best.name))
		}
	}
	if len(behind) > 0 {
		fmt.Fprintf(&b, "\nIn time another is ahead of %s in: %s.\n", results[0].name, strings.Join(behind, ", "))
	}
	return b.String()
}

// charted are the steps with a chart.
var charted = map[string]string{"click in front": "click", "navigate": "navigate", "evaluate": "evaluate", "snapshot, 1,000 rows": "snapshot"}

// chart draws the medians of a step as bars.
func chart(step string, results []result) string {
	const left, width, row = 170, 360, 30
	longest := time.Duration(1)
	for _, r := range results {
		longest = max(longest, r.steps[step].median())
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 %d" font-family="sans-serif" font-size="14"><title>%s</title><rect width="100%%" height="100%%" fill="#fff"/>`, 40+row*len(results), html.EscapeString(step))
	fmt.Fprintf(&b, `<text x="12" y="24" font-weight="bold">%s, median</text>`, html.EscapeString(step))
	for i, r := range results {
		m, y := r.steps[step], 38+row*i
		color, text := "#94a3b8", "fails"
		if i == 0 {
			color = "#2563eb"
		}
		length := 0
		if len(m.times) > 0 && m.fault == "" {
			length, text = max(1, int(int64(width)*int64(m.median())/int64(longest))), told(m.median())
		}
		fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="end">%s</text><rect x="%d" y="%d" width="%d" height="18" fill="%s"/><text x="%d" y="%d">%s</text>`,
			left-10, y+14, html.EscapeString(r.name), left, y, length, color, left+length+8, y+14, text)
	}
	return b.String() + "</svg>\n"
}

// write puts the table into a document, and the charts beside it.
func write(document, text string, results []result) error {
	data, err := os.ReadFile(document)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(data), "<!-- peers -->\n")
	_, after, ends := strings.Cut(rest, "<!-- /peers -->")
	if !ok || !ends {
		return fmt.Errorf("%s has no lines <!-- peers --> and <!-- /peers -->", document)
	}
	cpu, _ := os.ReadFile("/proc/loadavg")
	text = fmt.Sprintf("%s, load before the end %s.\n\n%s\n", time.Now().Format(time.DateOnly), strings.Join(strings.Fields(string(cpu))[:1], ""), text)
	for _, step := range steps {
		name := charted[step]
		if name == "" {
			continue
		}
		file := "peers-" + name + ".svg"
		if err := os.WriteFile(filepath.Join(filepath.Dir(document), file), []byte(chart(step, results)), 0o644); err != nil {
			return err
		}
		text += fmt.Sprintf("![%s](%s)\n", step, file)
	}
	return os.WriteFile(document, []byte(before+"<!-- peers -->\n"+text+"<!-- /peers -->"+after), 0o644)
}
