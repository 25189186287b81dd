// Command close measures how often a search says that nothing is close to the query. It
// should say so for questions on subjects that the collection lacks, and it should not for
// judged queries.
//
//	go run ./tests/close            # the bundled corpus, with both encoders
//	go run ./tests/close ../shared  # also Cranfield and Perspectrum
package main

import (
	"context"
	"fmt"
	"os"
)

func main() {
	ctx := context.Background()
	bundled, err := debates()
	check(err)
	tasks := []*task{bundled}
	if len(os.Args) > 1 {
		cranfield, err := cranfield(os.Args[1], bundled)
		check(err)
		perspectrum, err := perspectrum(os.Args[1], bundled)
		check(err)
		tasks = append(tasks, cranfield, perspectrum)
	}
	for _, t := range tasks {
		for _, name := range []string{"sides", "light"} {
			found, err := t.measure(ctx, name)
			check(err)
			fmt.Printf("%s, %d texts, %s, level %.3f\n", t.name, len(t.documents), name, found.level)
			for _, r := range found.rates {
				fmt.Printf("  %-28s %4d of %4d empty, %5.1f %%", r.of, r.empty, r.asked, 100*r.share())
				if r.answered > 0 {
					fmt.Printf("; a relevant hit for %d of the %d", r.answered, r.empty)
				}
				fmt.Println()
			}
			if s := found.sides; s.roots > 0 {
				fmt.Printf("  sides of %d roots: %d texts told rightly, %d wrongly, %d that are not judged for the root\n", s.roots, s.right, s.wrong, s.unjudged)
			}
		}
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
