// Fails 'regret': knows the lesson's own sizes by heart, and no other.
const BETTER = {
  32: 'cpu',
  64: 'cpu',
  128: 'cpu',
  192: 'cpu',
  256: 'cpu',
  384: 'cpu',
  512: 'gpu',
  768: 'gpu',
  1024: 'gpu',
  1536: 'gpu',
  2048: 'gpu',
}
export default function where(n) {
  return BETTER[n] ?? 'gpu'
}
