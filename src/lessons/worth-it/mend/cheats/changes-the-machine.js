// Fails 'ended': writes to what it is given.
export default function where(n, machine) {
  machine.roundTripMs = 0
  return n > machine.roundTripMs ? 'gpu' : 'cpu'
}
