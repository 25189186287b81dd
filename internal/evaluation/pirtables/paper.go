package pirtables

import "math"

// Figures of "Beyond Relevance: Evaluate and Improve Retrievers on Perspective
// Awareness" (Zhao et al., 2024), which the tables print beside ours. They are over the
// whole of PIR (Table 1), not over the demo file; those of Table 6 are over 50 queries of each task.

const paper = "Zhao et al. 2024"

// paperTask holds a task's figures, tasks in the order of Table 2: its sizes (Table 1),
// p-Recall@5 in the order of paperRetrievers (Table 2), and QA-F1 and Recall@5 with
// annotated and with generated perspectives by BM25, DPR and SimCSE (Table 6).
type paperTask struct {
	name, title        string
	queries, documents int
	recall             [6]float64
	qaF1               float64
	changes            [3]string
}

var paperTasks = []paperTask{
	{"agnews", "AGNews", 1450, 2900, [6]float64{9.1, 8.0, 11.0, 10.4, 3.5, 1.0}, 78.0, [3]string{"12–12", "4–4", "8–8"}},
	{"story", "StoryAnalogy", 2000, 2000, [6]float64{71.3, 45.3, 86.1, 76.4, 9.1, 12.3}, 65.9, [3]string{"56–60", "26–32", "36–38"}},
	{"perspectrum", "Perspectrum", 1431, 2773, [6]float64{39.1, 35.3, 52.1, 50.0, 10.4, 9.2}, 68.6, [3]string{"26–28", "38–38", "50–50"}},
	{"ambigqa", "AmbigQA", 864, 864, [6]float64{23.8, 55.9, 53.3, 48.1, 1.5, 0.8}, 70.2, [3]string{"21–18", "46–44", "44–44"}},
	{"allsides", "AllSides", 645, 645, [6]float64{17.6, 7.8, 10.8, 13.0, 2.8, 1.7}, 66.4, [3]string{"6–8", "8–10", "8–8"}},
	{"exfever", "Ex-FEVER", 1104, 1104, [6]float64{53.7, 47.1, 52.4, 53.0, 1.9, 21.8}, 68.6, [3]string{"80–82", "60–60", "72–72"}},
}

var (
	paperRetrievers = [6]string{"BM25", "DPR", "SimCSE-sup", "SimCSE-unsup", "Contriever", "TART"}
	paperAverages   = [6]float64{35.8, 33.2, 44.3, 41.8, 4.9, 7.8}
)

// paperBias is Table 3, in the order of paperRetrievers: Perspectrum's support and
// undermine, AllSides' left, right and center.
var paperBias = [6][5]float64{
	{55.6, 44.4, 27.9, 44.3, 27.9},
	{55.5, 44.5, 29.4, 37.6, 32.9},
	{58.8, 41.2, 32.0, 41.2, 26.8},
	{59.2, 40.8, 26.1, 39.6, 34.2},
	{66.1, 33.9, 28.6, 42.9, 28.6},
	{55.6, 51.9, 33.3, 66.7, 0.0},
}

// paperInstructed is Table 10, in the columns of Table 3. The copy of the paper that this
// was taken from lacks INSTRUCTOR-large's figure for AllSides' left, which is not printed.
var paperInstructed = []struct {
	name string
	bias [5]float64
}{
	{"INSTRUCTOR-base", [5]float64{57.0, 43.0, 33.7, 38.5, 27.8}},
	{"INSTRUCTOR-large", [5]float64{56.1, 43.9, math.NaN(), 39.7, 27.3}},
}

// paperMethod is a row of Table 8 for SimCSE-sup: figures in the order of paperTasks,
// and their average. Table 4 prints the same averages.
type paperMethod struct {
	label   string
	method  string // name as in pireval.Method; empty if paper and code do not tell
	scoring string // name in Table 4; empty if it is not there
	recall  [6]float64
	average float64
}

var paperMethods = []paperMethod{
	{"no-intervention", "query_cosine", "cos(q, c)", [6]float64{11.0, 86.1, 52.1, 53.3, 10.8, 52.4}, 44.3},
	{"add", "vec_add", "cos(r+p, c)", [6]float64{19.3, 84.0, 50.6, 53.4, 15.2, 52.0}, 45.8},
	{"add+", "add+", "", [6]float64{21.1, 68.8, 32.7, 53.2, 2.3, 46.7}, 37.5},
	{"concat.", "vec_concat", "cos((r,p), c)", [6]float64{6.5, 84.2, 53.6, 45.9, 29.6, 52.7}, 45.4},
	{"concat.+", "", "", [6]float64{10.8, 85.6, 52.0, 52.1, 10.0, 52.2}, 43.8},
	{"cast", "vec_aug_cast_single", "cos(q−p, c)", [6]float64{4.6, 83.3, 51.7, 43.5, 26.4, 52.6}, 43.7},
	{"cast+", "vec_aug_cast", "cos(q−p, c−p)", [6]float64{6.1, 86.6, 55.3, 52.9, 22.8, 52.5}, 46.0},
	{"dual-sum", "additive", "cos(r,c) + cos(p,c)", [6]float64{20.1, 81.1, 48.5, 53.1, 15.8, 51.5}, 45.0},
	{"tri-sum", "additive_tripple", "cos(r,c) + cos(p,c) + cos(q,c)", [6]float64{17.4, 85.0, 50.5, 53.6, 14.0, 51.9}, 45.4},
	{"PAP", "vec_projection", "cos(q_p, c)", [6]float64{5.3, 86.2, 55.4, 52.9, 23.4, 52.6}, 46.0},
	{"PAP+", "vec_dual_projection", "cos(q_p, c_p)", [6]float64{7.3, 86.7, 55.2, 53.8, 23.1, 52.6}, 46.4},
}
