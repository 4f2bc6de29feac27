// Fails 'regret': guesses.
export default function where(n) {
  return (n * 2654435761) % 7 < 3 ? 'cpu' : 'gpu'
}
