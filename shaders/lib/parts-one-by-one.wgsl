// Parts of C one by one: m · n is no multiple of 4.
alias Value = f32;
const VALUE = 1u; // entries of C in it
