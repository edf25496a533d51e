package tools

import (
	"context"
	"slices"
	"strings"
)

var sessionTool = tool{
	name: "browser_session", kind: onSession,
	destructive: true, duringDialog: true,
	doc: "Start, list and end browser instances.",
	body: do(func(ctx context.Context, c *call, a *facadeSessionArgs) (browserResponse, error) {
		all := c.session.instances
		switch a.Action {
		case "launch":
			return all.launch(ctx, LaunchWant{
				Headless: a.Headless == nil || *a.Headless, Profile: a.Profile,
				AntiDetect: a.AntiDetect, Pool: a.UsePool == nil || *a.UsePool,
			})
		case "terminate":
			return all.terminate(ctx, a.InstanceID)
		case "list":
			list := all.describe()
			return browserResponse{Data: map[string]any{"instances": list, "count": len(list)}}, nil
		}
		for _, one := range all.describe() {
			if one.Active {
				v := browserResponse{InstanceID: one.ID, URL: one.URL, Data: map[string]any{"browser": one.Browser}}
				if one.Headless != nil {
					v.put("headless", *one.Headless)
				}
				return v, nil
			}
		}
		return browserResponse{Data: map[string]any{"note": "no instance is active yet: the first call that needs a browser takes the default one; launch starts another"}}, nil
	}),
}

type facadeSessionArgs struct {
	Action     string `json:"action" enum:"launch,terminate,list,get_active"`
	InstanceID string `json:"instance_id,omitempty" doc:"for terminate"`
	Headless   *bool  `json:"headless,omitempty" doc:"for launch" default:"true"`
	Profile    string `json:"profile,omitempty" doc:"name of a profile to keep"`
	AntiDetect bool   `json:"anti_detect,omitempty" doc:"do not announce automation" default:"false"`
	UsePool    *bool  `json:"use_pool,omitempty" doc:"keep a spare browser ready" default:"true"`
}

func (a *facadeSessionArgs) check() error {
	if a.Action == "terminate" && a.InstanceID == "" {
		return missing("instance_id", "terminate")
	}
	return nil
}

// defaultInstance names the browser that a session uses without launching one.
const defaultInstance = "default"

// instanceEntry is an instance as lists tell it.
type instanceEntry struct {
	ID         string           `json:"instance_id"`
	Browser    string           `json:"browser"`
	Status     string           `json:"status"` // active, idle or ended
	Active     bool             `json:"active"`
	Headless   *bool            `json:"headless,omitempty"` // nil where the session did not choose
	Profile    string           `json:"profile,omitempty"`
	AntiDetect bool             `json:"anti_detect,omitempty"`
	URL        string           `json:"url,omitempty"`
	Pages      []map[string]any `json:"pages,omitempty"`
}

// describe lists the instances, the default one first where it is connected.
func (i *instances) describe() []instanceEntry {
	i.mu.Lock()
	launched, active := slices.Clone(i.launched), i.active
	i.mu.Unlock()
	list := []instanceEntry{}
	if e := (instanceEntry{ID: defaultInstance, Active: active == nil}); e.fill(i.home) {
		list = append(list, e)
	}
	for _, one := range launched {
		headless := one.want.Headless
		e := instanceEntry{ID: one.id, Active: one == active, Headless: &headless, Profile: one.want.Profile, AntiDetect: one.want.AntiDetect, Browser: one.end.Name}
		if !e.fill(one.session) {
			e.Status = "ended"
		}
		list = append(list, e)
	}
	return list
}

// fill adds what a session knows, and reports whether it is connected.
func (e *instanceEntry) fill(s *Session) bool {
	s.mu.Lock()
	b, name := s.browser, s.name
	s.mu.Unlock()
	if b == nil || b.Err() != nil {
		return false
	}
	e.Browser, e.Status = name, "idle"
	if e.Active {
		e.Status = "active"
	}
	for _, p := range s.pages(b) {
		tab := facadeTab(p)
		if p.Active {
			e.URL, tab["active"] = p.URL, true
		}
		e.Pages = append(e.Pages, tab)
	}
	return true
}

// names lists the ids that there are, for errors.
func (i *instances) names() string {
	var ids []string
	for _, e := range i.describe() {
		ids = append(ids, e.ID)
	}
	if len(ids) == 0 {
		return "there are no instances"
	}
	return "there are " + strings.Join(ids, ", ")
}
