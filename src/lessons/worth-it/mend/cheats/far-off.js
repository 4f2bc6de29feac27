// Fails 'regret': one threshold, far too low.
export default function where(n) {
  return n > 16 ? 'gpu' : 'cpu'
}
