// What is asked of the compact integer program: faces 0-51 as package tile numbers them, 52 the joker.
struct meldhall_question {
	unsigned char table[53], rack[53];
	int joker_points;
	int most_value;     // value first, then tiles; else tiles first
	int plain_settings; // GLPK as it comes, instead of the fastest settings found
};

// Solves a position; 0 when GLPK gives no proven optimum.
int meldhall_compact(const struct meldhall_question *q, int *tiles, int *value);
