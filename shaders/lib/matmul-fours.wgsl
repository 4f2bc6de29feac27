// Rows in vectors of four: n and k are multiples of 4, so every row begins at one. matmul-any.wgsl does the same for the others.
override ACCUMULATE: bool = false;
override EDGES: bool = true; // false where whole tiles make up every matrix: then no load and no store is tested

@group(0) @binding(0) var<uniform> params: MatmulParams;
@group(0) @binding(1) var<storage, read> a: array<vec4f>;
@group(0) @binding(2) var<storage, read> b: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> c: array<vec4f>;

// Four neighbours in a row of A, from k on.
// Zero beyond the edge: it adds nothing to the sums. What WebGPU reads there instead is dropped; a branch for each value costs more.
fn load_a(row: u32, k: u32) -> vec4f {
  return select(vec4f(), a[(row * params.k + k) / 4], !EDGES | ((row < params.m) & (k < params.k)));
}

// Four neighbours in a row of B, from the column on.
fn load_b(k: u32, column: u32) -> vec4f {
  return select(vec4f(), b[(k * params.n + column) / 4], !EDGES | ((k < params.k) & (column < params.n)));
}

// Keeps four neighbours in a row of C.
fn store_c(row: u32, column: u32, sums: vec4f) {
  if (EDGES && (row >= params.m || column >= params.n)) {
    return;
  }
  let at = (row * params.n + column) / 4;
  var result = params.alpha * sums;
  if (ACCUMULATE) {
    result += c[at];
  }
  c[at] = result;
}
