// C = alpha · A · B (+ C), one thread for each entry of C; a workgroup loads a tile of A and one of B once, for all its threads.
// The tiles lie in workgroup memory, on the chip: a value comes from memory once and is read from there TILE times.
// Cost: 2 / TILE reads from memory for each multiply-add, but still two from workgroup memory, which now decide.
override ACCUMULATE: bool = false;
override TILE: u32 = 16;

@group(0) @binding(0) var<uniform> params: MatmulParams;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> c: array<f32>;

var<workgroup> sh_a: array<f32, TILE * TILE>;
var<workgroup> sh_b: array<f32, TILE * TILE>;

// Zero beyond the edge: it adds nothing to the sum, so the loop over the tile needs no test.
fn load_a(row: u32, column: u32) -> f32 {
  if (row >= params.m || column >= params.k) {
    return 0.0;
  }
  return a[row * params.k + column];
}

fn load_b(row: u32, column: u32) -> f32 {
  if (row >= params.k || column >= params.n) {
    return 0.0;
  }
  return b[row * params.n + column];
}

@compute @workgroup_size(TILE, TILE)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_id) local: vec3u) {
  let row = workgroup.y * TILE + local.y;
  let column = workgroup.x * TILE + local.x;
  let slot = local.y * TILE + local.x;
  var sum = 0.0;
  for (var start = 0u; start < params.k; start += TILE) {
    sh_a[slot] = load_a(row, start + local.x);
    sh_b[slot] = load_b(start + local.y, column);
    workgroupBarrier(); // the tiles are complete
    for (var k = 0u; k < TILE; k += 1u) {
      sum += sh_a[local.y * TILE + k] * sh_b[k * TILE + local.x];
    }
    workgroupBarrier(); // everyone has read them: the next may overwrite them
  }
  // Threads beyond the edge leave only here: a barrier must be reached by all threads of a workgroup or by none.
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
