// C = alpha · A · B (+ C). A thread's block is 8 lines of 8 or 16 sums; a workgroup may cut k into slices, and the grid may cut it into
// parts. The next tiles travel from memory into registers while the threads multiply the ones before.
// Cost: up to 6 vector reads of workgroup memory for 128 multiply-adds; nothing is clamped or tested on the way.
//
// The compiler clamps an index unless it can prove it: a parameter proves nothing, `%` by the length of the array proves it and costs nothing.
// It counts the rounds of a loop unless it can prove that the loop ends: it can where a step of 1 runs to a constant.
// Gain of all of it over pipelined, H200: 1.13 at 512×512×512, 1.22 at 1000×1000×1000, 1.07 at 1024×1024×1024.
// Gain of lanes in Z-order, H200: 1.00 at 512×512×512, 1.03 at 1000×1000×1000, 1.02 at 1024×1024×1024, 1.01 at 8192×8192×8192.
override PARTS: u32 = 1; // of k, over the grid

const SHORT_4 = 2u; // fours of lines in a thread's block
const THREADS = THREADS_SHORT * THREADS_LONG; // of a slice
const DEPTH = SLICES * TILE_K; // of k in a step of the workgroup
const ROWS_4 = ROWS / 4;
const COLUMNS_4 = COLUMNS / 4;

// Fours of a column of A, and of a row of B: step of k, which of a thread's fours, which thread of the row or column it is for.
var<workgroup> sh_short: array<array<array<array<vec4f, THREADS_SHORT>, SHORT_4>, TILE_K>, SLICES>;
var<workgroup> sh_long: array<array<array<array<vec4f, THREADS_LONG>, LINE_4>, TILE_K>, SLICES>;

alias Sums = array<Line, 4 * SHORT_4>;

// A line is finished before the next: its vector of B or A is read once and stays in registers.
fn multiply_step(sums: ptr<function, Sums>, k: u32, place: vec2u, slice: u32) {
  let line = read_line(slice, k, place.x);
  for (var four = 0u; four < SHORT_4; four += 1u) {
    let factors = sh_short[slice % SLICES][k % TILE_K][four][place.y % THREADS_SHORT];
    (*sums)[4 * four] = add_product((*sums)[4 * four], factors.x, line);
    (*sums)[4 * four + 1] = add_product((*sums)[4 * four + 1], factors.y, line);
    (*sums)[4 * four + 2] = add_product((*sums)[4 * four + 2], factors.z, line);
    (*sums)[4 * four + 3] = add_product((*sums)[4 * four + 3], factors.w, line);
  }
}

fn multiply_eight(sums: ptr<function, Sums>, k: u32, place: vec2u, slice: u32) {
  multiply_step(sums, k, place, slice);
  multiply_step(sums, k + 1, place, slice);
  multiply_step(sums, k + 2, place, slice);
  multiply_step(sums, k + 3, place, slice);
  multiply_step(sums, k + 4, place, slice);
  multiply_step(sums, k + 5, place, slice);
  multiply_step(sums, k + 6, place, slice);
  multiply_step(sums, k + 7, place, slice);
}

// Four rows of A as its columns, ready for workgroup memory.
const A_BLOCKS = ROWS_4 * TILE_K / 4; // of a tile
const A_EACH = (A_BLOCKS + THREADS - 1) / THREADS;
// Eight lanes go down and the next along k: a warp reads 64 bytes of each row.
fn a_four(block: u32) -> u32 { return block % 8 + block / (2 * TILE_K) * 8; }
fn a_k(block: u32) -> u32 { return block / 8 % (TILE_K / 4) * A_UNIT; }

// Rows of B that the threads of a slice read at once, and how often.
const B_ROWS = THREADS / COLUMNS_4;
const B_EACH = TILE_K / B_ROWS;

// A thread's place in its slice, (along the line, line): a warp of 32 lies LANES_N wide and 32 / LANES_N high. In Z-order lanes next to each
// other share what they read, and one read of workgroup memory serves them together.
fn place_of(thread: u32) -> vec2u {
  let lane = thread % 32;
  let across = select(lane % LANES_N, (lane & 1) | ((lane >> 1) & (LANES_N - 2)), Z_ORDER);
  let down = select(lane / LANES_N, ((lane >> 1) & 1) | ((lane / LANES_N) & (32 / LANES_N - 2)), Z_ORDER);
  let warp = thread / 32;
  return turned(vec2u(across + warp % (THREADS_N / LANES_N) * LANES_N, down + warp / (THREADS_N / LANES_N) * (32 / LANES_N)));
}

// Four rows of four of a thread's block.
fn block_of(sums: ptr<function, Sums>, short: u32, long: u32) -> mat4x4f {
  return as_rows(mat4x4f((*sums)[4 * short][long], (*sums)[4 * short + 1][long], (*sums)[4 * short + 2][long], (*sums)[4 * short + 3][long]));
}

// Where in the workgroup's tile a block of a thread lies, (column, row).
fn corner_of_block(place: vec2u, short: u32, long: u32) -> vec2u {
  return vec2u(B_UNIT, 4) * turned(vec2u(long * THREADS_LONG + place.x, short * THREADS_SHORT + place.y));
}

@compute @workgroup_size(THREADS * SLICES)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) index: u32) {
  let corner = workgroup.xy * vec2u(COLUMNS, ROWS);
  let slice = select(index / THREADS, 0, SLICES == 1);
  let thread = select(index % THREADS, index, SLICES == 1);
  let place = place_of(thread);
  let part = select(workgroup.z, 0, PARTS == 1);

  // The steps along k, of which this workgroup takes a part. What is missing to whole steps is missing at the beginning of the first:
  // no other step has an edge.
  let steps = (size_k() + DEPTH - 1) / DEPTH;
  let missing = steps * DEPTH - size_k();
  let first = part * steps / PARTS;
  let count = (part + 1) * steps / PARTS - first;
  let is_whole = (missing == 0) | (first > 0);

  // One address for each operand; all others are so and so far behind it.
  let a_block = thread % A_BLOCKS;
  let a_row = size_k() / A_UNIT;
  let b_row = size_n() / B_UNIT;
  let b_four = thread % COLUMNS_4;
  let b_k = thread / COLUMNS_4;
  let start = first * DEPTH + slice * TILE_K;
  var a_at = (corner.y + 4 * a_four(a_block)) * a_row + (start + a_k(a_block)) / A_UNIT - missing / A_UNIT;
  var b_at = (start + b_k - missing) * b_row + corner.x / B_UNIT + b_four;

  var next_a: array<mat4x4f, A_EACH>;
  var next_b: array<vec4f, B_EACH>;
  for (var i = 0u; i < A_EACH; i += 1u) {
    let at = a_at + a_four(i * THREADS) * 4 * a_row + a_k(i * THREADS) / A_UNIT;
    let k = slice * TILE_K + a_k(a_block) + a_k(i * THREADS);
    let fetched = fetch_a(at);
    for (var j = 0u; j < 4; j += 1u) {
      next_a[i][j] = select(vec4f(), fetched[j], is_whole | (k + j * A_APART >= missing));
    }
  }
  for (var i = 0u; i < B_EACH; i += 1u) {
    let k = slice * TILE_K + b_k + i * B_ROWS;
    next_b[i] = select(vec4f(), load_b(b_at + i * B_ROWS * b_row), is_whole | (k >= missing));
  }

  var sums: Sums;
  for (var step = 0u; step < MOST_STEPS; step += 1u) {
    if (!STEPS_KNOWN && step >= count) {
      break;
    }
    if (A_BLOCKS >= THREADS || thread < A_BLOCKS) {
      for (var i = 0u; i < A_EACH; i += 1u) {
        for (var j = 0u; j < 4; j += 1u) {
          share_a(slice, a_k(a_block) + a_k(i * THREADS) + j * A_APART, a_four(a_block) + a_four(i * THREADS), next_a[i][j]);
        }
      }
    }
    for (var i = 0u; i < B_EACH; i += 1u) {
      share_b(slice, b_k + i * B_ROWS, b_four, next_b[i]);
    }
    workgroupBarrier(); // the tiles are complete
    // On their way while the others are multiplied. Behind the last lies something else, or nothing: nobody multiplies what comes of it.
    a_at += DEPTH / A_UNIT;
    b_at += DEPTH * b_row;
    for (var i = 0u; i < A_EACH; i += 1u) {
      next_a[i] = fetch_a(a_at + a_four(i * THREADS) * 4 * a_row + a_k(i * THREADS) / A_UNIT);
    }
    for (var i = 0u; i < B_EACH; i += 1u) {
      next_b[i] = load_b(b_at + i * B_ROWS * b_row);
    }
    multiply_eight(&sums, 0, place, slice);
    if (TILE_K > 8) {
      multiply_eight(&sums, 8, place, slice);
    }
    workgroupBarrier(); // everyone has read them: the next may overwrite them
  }

  // The sums are complete.
  keep_sums(&sums, corner, place, thread, slice, part);
}
