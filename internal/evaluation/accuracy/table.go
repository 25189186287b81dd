package accuracy

import (
	"fmt"
	"io"
	"strings"

	"github.com/vantage-search/vantage/internal/human"
)

// Print prints one Markdown table per task, with one row per method.
func (r *Report) Print(w io.Writer) error {
	tasks, costs := r.Tasks, r.Costs
	perTask := len(costs) / len(tasks)
	methods := perTask / len(Precisions)
	for i, task := range tasks {
		of := costs[i*perTask : (i+1)*perTask]
		fmt.Fprintf(w, "## %s: %s, %s\n\n", task.Name, human.Count(len(task.Documents), "document"), human.Count(len(task.Queries), "query"))
		head, rule := fmt.Sprintf("| %-23s | queries |", "method"), "|"+strings.Repeat("-", 25)+"|--------:|"
		for _, dtype := range Precisions {
			head += fmt.Sprintf(" %3s recall@%d | %3s τ   |", dtype, K, dtype)
			rule += strings.Repeat("-", 14) + ":|" + strings.Repeat("-", 8) + ":|"
		}
		fmt.Fprintf(w, "%s\n%s\n", head, rule)
		for m := range methods {
			fmt.Fprintf(w, "| %-23s | %7d |", of[m].Method, of[m].Queries)
			for p := range Precisions {
				c := of[p*methods+m]
				fmt.Fprintf(w, " %13.4f | %7.5f |", c.Recall, c.Tau)
			}
			fmt.Fprintln(w)
		}
		if i < len(tasks)-1 {
			fmt.Fprintln(w)
		}
	}
	return nil
}
