// Lines of sums lie along rows of C: values of A are the factors, rows of B the lines.
const ALONG_ROWS = true;
const THREADS_M = ROWS / 8;
const THREADS_N = COLUMNS / (4 * LINE_4);
const THREADS_SHORT = THREADS_M;
const THREADS_LONG = THREADS_N;

fn share_a(slice: u32, k: u32, four: u32, values: vec4f) {
  sh_short[slice % SLICES][k % TILE_K][four / THREADS_M % SHORT_4][four % THREADS_M] = values;
}

fn share_b(slice: u32, k: u32, four: u32, values: vec4f) {
  sh_long[slice % SLICES][k % TILE_K][four / THREADS_N % LINE_4][four % THREADS_N] = values;
}

// From rows and columns to lines and places in a line, and back.
fn turned(at: vec2u) -> vec2u { return at; }

// Four lines of four as four rows of four.
fn as_rows(lines: mat4x4f) -> mat4x4f { return lines; }
