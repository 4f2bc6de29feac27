// Fails 'output': returns a number, not one of the two names.
export default function where(n) {
  return n > 500 ? 1 : 0
}
