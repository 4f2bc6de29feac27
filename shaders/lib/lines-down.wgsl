// Lines of sums lie along columns of C: values of B are the factors, columns of A the lines.
const ALONG_ROWS = false;
const THREADS_M = ROWS / (4 * LINE_4);
const THREADS_N = COLUMNS / 8;
const THREADS_SHORT = THREADS_N;
const THREADS_LONG = THREADS_M;

fn share_a(slice: u32, k: u32, four: u32, values: vec4f) {
  sh_long[slice % SLICES][k % TILE_K][four / THREADS_M % LINE_4][four % THREADS_M] = values;
}

fn share_b(slice: u32, k: u32, four: u32, values: vec4f) {
  sh_short[slice % SLICES][k % TILE_K][four / THREADS_N % SHORT_4][four % THREADS_N] = values;
}

// From rows and columns to lines and places in a line, and back.
fn turned(at: vec2u) -> vec2u { return at.yx; }

// Four lines of four as four rows of four.
fn as_rows(lines: mat4x4f) -> mat4x4f { return transpose(lines); }
