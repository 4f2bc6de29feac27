// A line of a thread's block: 16 sums in four vectors.
alias Line = mat4x4f;
const LINE_4 = 4u;

// Four vectors of a tile, as far apart as there are threads along its side: neighbouring threads read neighbouring vectors.
fn read_line(slice: u32, k: u32, place: u32) -> Line {
  let tile = &sh_long[slice % SLICES][k % TILE_K];
  let at = place % THREADS_LONG;
  return Line((*tile)[0][at], (*tile)[1][at], (*tile)[2][at], (*tile)[3][at]);
}

// One value times a line, added to a line of sums.
fn add_product(sums: Line, factor: f32, line: Line) -> Line {
  let same = vec4f(factor);
  return Line(fma(same, line[0], sums[0]), fma(same, line[1], sums[1]), fma(same, line[2], sums[2]), fma(same, line[3], sums[3]));
}
