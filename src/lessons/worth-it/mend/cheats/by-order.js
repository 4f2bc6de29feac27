// Fails 'regret': counts how often it is called, and takes sizes to come in order.
let calls = 0
export default function where() {
  calls += 1
  return calls <= 7 ? 'cpu' : 'gpu'
}
