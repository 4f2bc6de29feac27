// Parts of C in vectors of four: m · n is a multiple of 4.
alias Value = vec4f;
