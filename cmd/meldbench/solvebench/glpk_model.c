//go:build glpk && cgo

// The compact integer program of one position: how often each of the 185 natural sets (runs of 3 to 5, groups)
// is laid, how many tiles of each face leave the rack, and how many jokers stand for each face.

#include "glpk_model.h"

#include <glpk.h>

enum { COLOURS = 4, NUMBERS = 13, FACES = COLOURS * NUMBERS, JOKER = FACES, SETS = 185, ENTRIES = 1 + SETS * 5 + FACES * 3 };

typedef struct {
	const struct meldhall_question *q;
	glp_prob *lp;
	int jokers;
	int first; // the weight of what the aim wants first: more than all of the other that the rack holds
	int sets, faces[SETS][5], length[SETS];
	int row[FACES]; // of each face that a possible set holds; 0 for the others
	int columns;
	int entries, row_of[ENTRIES], column_of[ENTRIES];
	double factor[ENTRIES];
} model;

static int first_weight(const struct meldhall_question *q)
{
	int tiles = q->rack[JOKER], value = q->rack[JOKER] * q->joker_points;
	for (int f = 0; f < FACES; f++) {
		tiles += q->rack[f];
		value += q->rack[f] * (f % NUMBERS + 1);
	}
	return 1 + (q->most_value ? tiles : value);
}

static double weight(const model *m, int value)
{
	return m->q->most_value ? m->first * value + 1 : m->first + value;
}

// Sets that need more jokers than there are, or jokers only, are left out.
static void offer_set(model *m, const int *faces, int length)
{
	int missing = 0;
	for (int i = 0; i < length; i++)
		missing += m->q->table[faces[i]] + m->q->rack[faces[i]] == 0;
	if (missing > m->jokers || missing == length)
		return;
	for (int i = 0; i < length; i++) {
		m->faces[m->sets][i] = faces[i];
		m->row[faces[i]] = 1;
	}
	m->length[m->sets++] = length;
}

static void offer_sets(model *m)
{
	int faces[5];
	for (int colour = 0; colour < COLOURS; colour++)
		for (int length = 3; length <= 5; length++)
			for (int first = 0; first + length <= NUMBERS; first++) {
				for (int i = 0; i < length; i++)
					faces[i] = colour * NUMBERS + first + i;
				offer_set(m, faces, length);
			}
	for (int number = 0; number < NUMBERS; number++)
		for (int without = -1; without < COLOURS; without++) {
			int length = 0;
			for (int colour = 0; colour < COLOURS; colour++)
				if (colour != without)
					faces[length++] = colour * NUMBERS + number;
			offer_set(m, faces, length);
		}
}

static void enter(model *m, int row, int column, double factor)
{
	m->entries++;
	m->row_of[m->entries] = row;
	m->column_of[m->entries] = column;
	m->factor[m->entries] = factor;
}

// The next column is a whole number between 0 and most; most < 0: as much as the rows allow.
static int column_of_worth(model *m, int most, double worth)
{
	int column = ++m->columns;
	glp_set_col_kind(m->lp, column, GLP_IV);
	glp_set_col_bnds(m->lp, column, most < 0 ? GLP_LO : GLP_DB, 0, most);
	glp_set_obj_coef(m->lp, column, worth);
	return column;
}

static void build(model *m)
{
	const struct meldhall_question *q = m->q;
	int rows = 0, columns = m->sets, joker_row;
	for (int f = 0; f < FACES; f++)
		if (m->row[f]) {
			m->row[f] = ++rows;
			columns += (q->rack[f] > 0) + (m->jokers > 0);
		}
	joker_row = m->jokers ? ++rows : 0;
	glp_add_rows(m->lp, rows);
	glp_add_cols(m->lp, columns);
	for (int s = 0; s < m->sets; s++) {
		int column = column_of_worth(m, -1, 0);
		for (int i = 0; i < m->length[s]; i++)
			enter(m, m->row[m->faces[s][i]], column, 1);
	}
	for (int f = 0; f < FACES; f++) {
		if (!m->row[f])
			continue;
		glp_set_row_bnds(m->lp, m->row[f], GLP_FX, q->table[f], 0);
		if (q->rack[f])
			enter(m, m->row[f], column_of_worth(m, q->rack[f], weight(m, f % NUMBERS + 1)), -1);
		if (joker_row) {
			int stands = column_of_worth(m, m->jokers, weight(m, q->joker_points));
			enter(m, m->row[f], stands, -1);
			enter(m, joker_row, stands, 1);
		}
	}
	if (joker_row) {
		glp_set_row_bnds(m->lp, joker_row, q->rack[JOKER] ? GLP_DB : GLP_FX, q->table[JOKER], m->jokers);
		glp_set_obj_coef(m->lp, 0, -q->table[JOKER] * weight(m, q->joker_points));
	}
	glp_load_matrix(m->lp, m->entries, m->row_of, m->column_of, m->factor);
}

// Nodes after which a search with the fastest settings has gone astray: it then takes ten to a thousand times as long
// as GLPK's own settings, for minutes in the worst case seen, while nearly all searches need far fewer.
enum { MOST_NODES = 300 };

static void give_up(glp_tree *tree, void *unused)
{
	int nodes;
	glp_ios_tree_size(tree, NULL, NULL, &nodes);
	if (nodes > MOST_NODES)
		glp_ios_terminate(tree);
	(void)unused;
}

// Of the settings tried on 100 positions of each class (relaxation: presolved or not, three starting bases, both
// pricings, both ratio tests, primal and dual; search: presolved or not, binarised, five branching and four
// backtracking rules, preprocessing at no, one or all nodes, four kinds of cuts, both heuristics; rack tiles as
// columns or as ranges of rows) these are the fastest at the median and at p99 together: no preprocessing of nodes;
// branch on the last fractional column when tiles come first, on the most fractional one when value does; presolve
// the relaxation when the table is small. Late tables take about half the time at the median, and less than half at
// p99, of GLPK's default settings. When they go astray the search begins again with GLPK's own; of 100, 300, 1000 and
// 3000 nodes, 300 gave the least p99.
static int optimise(const model *m, int plain_settings)
{
	glp_smcp relaxation;
	glp_iocp search;
	int tiles = 0;
	for (int f = 0; f <= JOKER; f++)
		tiles += m->q->table[f];
	glp_init_smcp(&relaxation);
	glp_init_iocp(&search);
	relaxation.msg_lev = search.msg_lev = GLP_MSG_OFF;
	if (!plain_settings) {
		relaxation.presolve = tiles < 20 ? GLP_ON : GLP_OFF;
		search.br_tech = m->q->most_value ? GLP_BR_MFV : GLP_BR_LFV;
		search.pp_tech = GLP_PP_NONE;
		search.cb_func = give_up;
	}
	if (glp_simplex(m->lp, &relaxation) || glp_get_status(m->lp) != GLP_OPT)
		return -1;
	if (glp_intopt(m->lp, &search) || glp_mip_status(m->lp) != GLP_OPT)
		return -1;
	return (int)(glp_mip_obj_val(m->lp) + 0.5);
}

int meldhall_compact(const struct meldhall_question *q, int *tiles, int *value)
{
	model m = {.q = q, .jokers = q->table[JOKER] + q->rack[JOKER], .first = first_weight(q)};
	int worth;
	*tiles = *value = 0;
	offer_sets(&m);
	if (m.sets == 0)
		return 1;
	glp_term_out(GLP_OFF);
	m.lp = glp_create_prob();
	glp_set_obj_dir(m.lp, GLP_MAX);
	build(&m);
	worth = optimise(&m, q->plain_settings);
	if (worth < 0 && !q->plain_settings)
		worth = optimise(&m, 1);
	glp_delete_prob(m.lp);
	*tiles = q->most_value ? worth % m.first : worth / m.first;
	*value = q->most_value ? worth / m.first : worth % m.first;
	return worth >= 0;
}
