// Parts of C in vectors of four: m · n is a multiple of 4.
alias Value = vec4f;
const VALUE = 4u; // entries of C in it
