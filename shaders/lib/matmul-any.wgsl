// Rows of any length: they begin anywhere, so loads and stores go one by one, each tested. For multiples of 4: matmul-fours.wgsl.
override ACCUMULATE: bool = false;

@group(0) @binding(0) var<uniform> params: MatmulParams;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> c: array<f32>;

// Zero beyond the edge: it adds nothing to the sums. What WebGPU reads there instead is dropped; a branch for each value costs more.
fn load_one_a(row: u32, k: u32) -> f32 {
  return select(0.0, a[row * params.k + k], (row < params.m) & (k < params.k));
}

fn load_one_b(k: u32, column: u32) -> f32 {
  return select(0.0, b[k * params.n + column], (k < params.k) & (column < params.n));
}

// Four neighbours in a row of A, from k on.
fn load_a(row: u32, k: u32) -> vec4f {
  return vec4f(load_one_a(row, k), load_one_a(row, k + 1), load_one_a(row, k + 2), load_one_a(row, k + 3));
}

// Four neighbours in a row of B, from the column on.
fn load_b(k: u32, column: u32) -> vec4f {
  return vec4f(load_one_b(k, column), load_one_b(k, column + 1), load_one_b(k, column + 2), load_one_b(k, column + 3));
}

fn store_one_c(row: u32, column: u32, sum: f32) {
  if (row >= params.m || column >= params.n) {
    return;
  }
  let at = row * params.n + column;
  var result = params.alpha * sum;
  if (ACCUMULATE) {
    result += c[at];
  }
  c[at] = result;
}

// Keeps four neighbours in a row of C.
fn store_c(row: u32, column: u32, sums: vec4f) {
  store_one_c(row, column, sums.x);
  store_one_c(row, column + 1, sums.y);
  store_one_c(row, column + 2, sums.z);
  store_one_c(row, column + 3, sums.w);
}
