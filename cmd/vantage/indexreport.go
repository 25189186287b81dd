package main

import "github.com/vantage-search/vantage"

// indexReport is what `vantage index --json` prints.
type indexReport struct {
	Collection    string `json:"collection"`               // folder
	Site          string `json:"site,omitempty"`           // folder
	JudgedQueries int    `json:"judged_queries,omitempty"` // that the page measures itself on
	*vantage.Report
}
