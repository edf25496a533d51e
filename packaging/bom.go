package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/url"
	"time"

	"github.com/CycloneDX/cyclonedx-go"
	"github.com/google/uuid"
)

// bom is the bill of materials of one program, in CycloneDX's form.
func (r *release) bom(parts []dependency, program []byte) ([]byte, error) {
	sum := fmt.Sprintf("%x", sha256.Sum256(program))
	own := []string{}
	components := []cyclonedx.Component{}
	for _, d := range parts {
		ref := purl(d.path, "v"+d.version)
		if d.path != "std" {
			ref = purl(d.path, d.version)
		}
		own = append(own, ref)
		licenses := cyclonedx.Licenses{}
		for _, id := range d.licenses {
			licenses = append(licenses, cyclonedx.LicenseChoice{License: &cyclonedx.License{ID: id}})
		}
		components = append(components, cyclonedx.Component{Type: cyclonedx.ComponentTypeLibrary, BOMRef: ref, Name: d.path, Version: d.version, PackageURL: ref, Licenses: &licenses})
	}
	main := purl("github.com/tabrelay/tabrelay", "v"+r.version)
	bom := cyclonedx.NewBOM()
	bom.SerialNumber = uuid.NewSHA1(uuid.NameSpaceURL, []byte(main+"#"+sum)).URN()
	bom.Metadata = &cyclonedx.Metadata{
		Timestamp: r.time.Format(time.RFC3339),
		Component: &cyclonedx.Component{
			Type: cyclonedx.ComponentTypeApplication, BOMRef: main, Name: "tabrelay", Version: r.version, Description: summary, PackageURL: main,
			Licenses: &cyclonedx.Licenses{{License: &cyclonedx.License{ID: license}}},
			Hashes:   &[]cyclonedx.Hash{{Algorithm: cyclonedx.HashAlgoSHA256, Value: sum}},
		},
	}
	bom.Components = &components
	bom.Dependencies = &[]cyclonedx.Dependency{{Ref: main, Dependencies: &own}}
	var out bytes.Buffer
	err := cyclonedx.NewBOMEncoder(&out, cyclonedx.BOMFileFormatJSON).SetPretty(true).Encode(bom)
	return out.Bytes(), err
}

// purl is the address of a Go module among all packages of the world.
func purl(path, version string) string { return "pkg:golang/" + path + "@" + url.PathEscape(version) }
