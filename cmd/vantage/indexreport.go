package main

import (
	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/manifest"
)

// indexReport is what `vantage index --json` prints.
type indexReport struct {
	Collection    string         `json:"collection"`               // folder
	Site          string         `json:"site,omitempty"`           // folder
	JudgedQueries int            `json:"judged_queries,omitempty"` // that the page measures itself on
	Documents     int            `json:"documents"`
	Encoded       int            `json:"encoded"`
	Resumed       int            `json:"resumed"` // encoded by an interrupted run
	Reused        int            `json:"reused"`
	Removed       int            `json:"removed"`
	Truncated     int            `json:"truncated"` // longer than the model reads
	Empty         int            `json:"empty"`
	MostlyUnknown int            `json:"mostly_unknown"`
	Files         int            `json:"files"`
	FilesWritten  int            `json:"files_written"`
	FilesRemoved  int            `json:"files_removed"`
	Bytes         int64          `json:"bytes"`
	Model         manifest.Model `json:"model"`
	LeftOut       []leftOut      `json:"left_out"`
	Notes         []string       `json:"notes"`
}

type leftOut struct {
	Field  string `json:"field"`
	Reason string `json:"reason"`
}

func newIndexReport(folder, site string, r collection.Report) *indexReport {
	out := &indexReport{
		Collection: folder, Site: site, Documents: r.Documents, Encoded: r.Encoded, Resumed: r.Resumed, Truncated: r.Truncated, Reused: r.Reused, Removed: r.Removed,
		Empty: r.Empty, MostlyUnknown: r.MostlyUnknown, Files: r.Files, FilesWritten: r.FilesWritten, FilesRemoved: r.FilesRemoved,
		Bytes: r.Bytes, Model: r.Model, LeftOut: []leftOut{}, Notes: append([]string{}, r.Notes...),
	}
	for _, f := range r.LeftOut {
		out.LeftOut = append(out.LeftOut, leftOut{f.Field, f.Reason})
	}
	return out
}
