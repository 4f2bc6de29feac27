// A line of a thread's block: 16 sums in four vectors.
alias Line = mat4x4f;
const LINE_4 = 4u;

// Four vectors of a tile, as far apart as there are threads along its side: neighbouring threads read neighbouring vectors.
fn read_line(slice: u32, k: u32, place: u32) -> Line {
  return Line(sh_long[slice][k][0][place], sh_long[slice][k][1][place], sh_long[slice][k][2][place], sh_long[slice][k][3][place]);
}

// One value times a line, added to a line of sums.
fn add_product(sums: Line, factor: f32, line: Line) -> Line {
  let same = vec4f(factor);
  return Line(fma(same, line[0], sums[0]), fma(same, line[1], sums[1]), fma(same, line[2], sums[2]), fma(same, line[3], sums[3]));
}
