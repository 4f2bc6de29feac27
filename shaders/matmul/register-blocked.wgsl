// C = alpha · A · B (+ C); each thread makes 4 × 4 entries of C at once and keeps their sums in registers.
// A value read from workgroup memory serves four sums: with 8 values read, a thread multiplies and adds 16 times.
// Cost: half a read from workgroup memory for each multiply-add, a quarter of tiled's; each is of a single float.
override ACCUMULATE: bool = false;
override THREADS: u32 = 16; // across and down; a workgroup makes a tile of 4·THREADS × 4·THREADS
override TILE_K: u32 = 16; // a multiple of THREADS / 4: all threads load equally much
override SIDE: u32 = 4 * THREADS;
override LOADS: u32 = SIDE * TILE_K / (THREADS * THREADS); // of each tile, by each thread

@group(0) @binding(0) var<uniform> params: MatmulParams;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> c: array<f32>;

var<workgroup> sh_a: array<f32, SIDE * TILE_K>;
var<workgroup> sh_b: array<f32, TILE_K * SIDE>;

// Zero beyond the edge: it adds nothing to the sums, so the loop over the tile needs no test.
fn load_a(row: u32, k: u32) -> f32 {
  if (row >= params.m || k >= params.k) {
    return 0.0;
  }
  return a[row * params.k + k];
}

fn load_b(k: u32, column: u32) -> f32 {
  if (k >= params.k || column >= params.n) {
    return 0.0;
  }
  return b[k * params.n + column];
}

fn store(row: u32, column: u32, sum: f32) {
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

// A thread's entries lie THREADS apart, so that at each step neighbouring threads touch neighbouring values.
fn store_row(row: u32, column: u32, sums: vec4f) {
  store(row, column, sums.x);
  store(row, column + THREADS, sums.y);
  store(row, column + 2 * THREADS, sums.z);
  store(row, column + 3 * THREADS, sums.w);
}

@compute @workgroup_size(THREADS, THREADS)
fn main(
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(local_invocation_id) local: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let corner = SIDE * workgroup.xy;
  var sums_0 = vec4f(); // four entries of the thread's first row
  var sums_1 = vec4f();
  var sums_2 = vec4f();
  var sums_3 = vec4f();
  for (var start = 0u; start < params.k; start += TILE_K) {
    for (var i = 0u; i < LOADS; i += 1u) {
      let slot = thread + i * THREADS * THREADS;
      sh_a[slot] = load_a(corner.y + slot / TILE_K, start + slot % TILE_K);
      sh_b[slot] = load_b(start + slot / SIDE, corner.x + slot % SIDE);
    }
    workgroupBarrier(); // the tiles are complete
    for (var k = 0u; k < TILE_K; k += 1u) {
      let across = k * SIDE + local.x;
      let b_row = vec4f(sh_b[across], sh_b[across + THREADS], sh_b[across + 2 * THREADS], sh_b[across + 3 * THREADS]);
      let down = local.y * TILE_K + k;
      sums_0 += sh_a[down] * b_row;
      sums_1 += sh_a[down + THREADS * TILE_K] * b_row;
      sums_2 += sh_a[down + 2 * THREADS * TILE_K] * b_row;
      sums_3 += sh_a[down + 3 * THREADS * TILE_K] * b_row;
    }
    workgroupBarrier(); // everyone has read them: the next may overwrite them
  }
  let row = corner.y + local.y;
  let column = corner.x + local.x;
  store_row(row, column, sums_0);
  store_row(row + THREADS, column, sums_1);
  store_row(row + 2 * THREADS, column, sums_2);
  store_row(row + 3 * THREADS, column, sums_3);
}
