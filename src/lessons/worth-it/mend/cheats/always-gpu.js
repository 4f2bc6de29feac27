// Fails 'regret': always the GPU, however small the matrices.
export default function where() {
  return 'gpu'
}
