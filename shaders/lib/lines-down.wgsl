// Lines of sums lie along columns of C: values of B are the factors, columns of A the lines.
const SHORT_SIDE = COLUMNS;
const LONG_SIDE = ROWS;
const THREADS_M = THREADS_LONG;
const THREADS_N = THREADS_SHORT;

fn share_a(slice: u32, k: u32, four: u32, values: vec4f) {
  sh_long[slice][k][four / THREADS_M][four % THREADS_M] = values;
}

fn share_b(slice: u32, k: u32, four: u32, values: vec4f) {
  sh_short[slice][k][four / THREADS_N][four % THREADS_N] = values;
}

// From rows and columns to lines and places in a line, and back.
fn turned(at: vec2u) -> vec2u { return at.yx; }

// Four lines of four as four rows of four.
fn as_rows(lines: mat4x4f) -> mat4x4f { return transpose(lines); }
