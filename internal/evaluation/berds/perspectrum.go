package berds

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/vantage-search/vantage/internal/evaluation/records"
)

// The numbers of a claim's two perspectives.
const (
	Support = iota
	Oppose
	Perspectives // number of perspectives
)

// Splits of Perspectrum.
const (
	Train       = "train"
	Development = "dev"
	Test        = "test"
)

// Perspectrum is the data set of Chen et al. (NAACL 2019): claims, and a pool of
// perspectives (the documents), with annotations of which perspective supports or
// opposes which claim. The questions of BERDS and a corpus have the same form.
type Perspectrum struct {
	Pool   []string // texts of the perspectives
	IDs    []string // their pId
	Claims []Claim  // in the file's order
}

// Claim is a claim with its annotations, or a question of BERDS.
type Claim struct {
	ID       int
	Name     string // its id in runs
	Text     string
	Source   string
	Split    string
	Clusters []Cluster
	// Documents are indexes into the pool of the documents that contain each perspective,
	// ascending and distinct. A claim has two, Support and Oppose.
	Documents [][]uint32

	// Of a question, there are also the texts of its perspectives, the supporting one first
	// if there are two, and the queries that expand it. Documents are judged when a
	// retriever finds them.
	Perspectives []string
	Queries      []string
}

// Cluster is a set of perspectives with the same meaning.
type Cluster struct {
	Side      int // Support or Oppose
	Documents []uint32
	Evidence  []int // ids of paragraphs, whose texts are not read
}

// TwoSided reports whether the pool has documents on both sides of a claim, or a question has
// two perspectives.
func (c *Claim) TwoSided() bool {
	if c.Perspectives != nil {
		return len(c.Perspectives) == Perspectives
	}
	return len(c.Documents[Support]) > 0 && len(c.Documents[Oppose]) > 0
}

// side is a query that takes a side: a perspective of a question, or Surface of a claim.
func (c *Claim) side(side int) string {
	if c.Perspectives != nil {
		return c.Perspectives[side]
	}
	return Surface(side, c.Text)
}

// PerspectrumFile is one of the three files. Errors give its name.
type PerspectrumFile struct {
	Name   string
	Reader io.Reader
}

// ReadPerspectrum reads perspective_pool_v1.0.json,
// perspectrum_with_answers_v1.0.json and dataset_split_v1.0.json. Ids are
// unique; every claim is in the file of splits, and every id there is that of a claim;
// clusters name perspectives of the pool.
func ReadPerspectrum(pool, claims, splits PerspectrumFile) (*Perspectrum, error) {
	p := &Perspectrum{}
	documents, err := p.readPool(pool)
	if err != nil {
		return nil, err
	}
	split, err := readSplits(splits)
	if err != nil {
		return nil, err
	}
	if err := p.readClaims(claims, documents, split); err != nil {
		return nil, err
	}
	if len(p.Claims) < len(split) {
		for _, c := range p.Claims {
			delete(split, c.ID)
		}
		id := slices.Min(slices.Collect(maps.Keys(split)))
		return nil, fmt.Errorf("%s: claim %d is in the %s split, and not in %s", splits.Name, id, split[id], claims.Name)
	}
	return p, nil
}

// readPool reads the pool and returns the index in it of each id.
func (p *Perspectrum) readPool(file PerspectrumFile) (map[int]uint32, error) {
	documents := map[int]uint32{}
	err := records.Array(file.Reader, file.Name, func(number int, entry *struct {
		ID   *int   `json:"pId"`
		Text string `json:"text"`
	}) error {
		if entry.ID == nil {
			return errors.New(`no "pId": this is no pool of perspectives`)
		}
		if earlier, taken := documents[*entry.ID]; taken {
			return fmt.Errorf("the pId %d is already taken by entry %d", *entry.ID, earlier+1)
		}
		documents[*entry.ID] = uint32(len(p.Pool))
		p.Pool, p.IDs = append(p.Pool, entry.Text), append(p.IDs, strconv.Itoa(*entry.ID))
		return records.CheckText("text", entry.Text)
	})
	if err == nil && len(p.Pool) == 0 {
		err = fmt.Errorf("%s: no perspectives", file.Name)
	}
	return documents, err
}

func (p *Perspectrum) readClaims(file PerspectrumFile, documents map[int]uint32, split map[int]string) error {
	numbers := map[int]int{} // entry of each id
	err := records.Array(file.Reader, file.Name, func(number int, entry *rawClaim) error {
		if entry.ID == nil {
			return errors.New(`no "cId": this is no file of claims`)
		}
		if earlier := numbers[*entry.ID]; earlier > 0 {
			return fmt.Errorf("the cId %d is already taken by entry %d", *entry.ID, earlier)
		}
		numbers[*entry.ID] = number
		claim := Claim{ID: *entry.ID, Name: strconv.Itoa(*entry.ID), Text: entry.Text, Source: entry.Source, Split: split[*entry.ID], Documents: make([][]uint32, Perspectives)}
		if claim.Split == "" {
			return fmt.Errorf("claim %d has no split: the split file must name every claim", claim.ID)
		}
		if err := records.CheckText("text", claim.Text); err != nil {
			return err
		}
		for i := range entry.Clusters {
			if err := claim.add(&entry.Clusters[i], documents); err != nil {
				return fmt.Errorf("claim %d, cluster %d: %w", claim.ID, i+1, err)
			}
		}
		for side, found := range claim.Documents {
			slices.Sort(found)
			claim.Documents[side] = slices.Compact(found)
		}
		p.Claims = append(p.Claims, claim)
		return nil
	})
	if err == nil && len(p.Claims) == 0 {
		err = fmt.Errorf("%s: no claims", file.Name)
	}
	return err
}

type rawClaim struct {
	ID       *int         `json:"cId"`
	Text     string       `json:"text"`
	Source   string       `json:"source"`
	Clusters []rawCluster `json:"perspectives"`
}

type rawCluster struct {
	IDs      []int  `json:"pids"`
	Stance   string `json:"stance_label_3"`
	Evidence []int  `json:"evidence"`
}

// add adds a cluster. Texts that annotators did not consider perspectives are on
// neither side.
func (c *Claim) add(raw *rawCluster, documents map[int]uint32) error {
	var side int
	switch {
	case strings.EqualFold(raw.Stance, "support"):
		side = Support
	case strings.EqualFold(raw.Stance, "undermine"):
		side = Oppose
	case strings.EqualFold(strings.ReplaceAll(raw.Stance, "_", "-"), "not-a-perspective"):
		return nil
	default:
		return fmt.Errorf("stance_label_3 is %.60q: support, undermine or not-a-perspective is expected", raw.Stance)
	}
	cluster := Cluster{Side: side, Evidence: raw.Evidence}
	for _, id := range raw.IDs {
		document, known := documents[id]
		if !known {
			return fmt.Errorf("perspective %d is not in the pool", id)
		}
		cluster.Documents = append(cluster.Documents, document)
	}
	c.Clusters = append(c.Clusters, cluster)
	c.Documents[side] = append(c.Documents[side], cluster.Documents...)
	return nil
}

// readSplits reads a JSON object from claim ids to names of splits.
func readSplits(file PerspectrumFile) (map[int]string, error) {
	b, err := records.ReadAll(file.Reader, file.Name)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(b))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, fmt.Errorf("%s: not a JSON object of claims and their splits", file.Name)
	}
	split := map[int]string{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, fmt.Errorf("%s: after %d claims: %w", file.Name, len(split), records.Syntax(err))
		}
		var name string
		if err := d.Decode(&name); err != nil {
			return nil, fmt.Errorf("%s: claim %.40q: %w", file.Name, key, records.Syntax(err))
		}
		id, err := strconv.Atoi(key.(string))
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s: %.40q is not the id of a claim", file.Name, key)
		case split[id] != "":
			return nil, fmt.Errorf("%s: claim %d is listed twice", file.Name, id)
		case name != Train && name != Development && name != Test:
			return nil, fmt.Errorf("%s: claim %d is in split %.40q: train, dev or test is expected", file.Name, id, name)
		}
		split[id] = name
	}
	if _, err := d.Token(); err != nil {
		return nil, fmt.Errorf("%s: after %d claims: %w", file.Name, len(split), records.Syntax(err))
	}
	return split, records.End(d, file.Name)
}

// Split returns the claims of a split, in the file's order.
func (p *Perspectrum) Split(name string) []Claim {
	var claims []Claim
	for _, c := range p.Claims {
		if c.Split == name {
			claims = append(claims, c)
		}
	}
	return claims
}
