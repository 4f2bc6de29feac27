// Fails 'ended': an error in line 3.
export default function where(n, machine) {
  return machine.gpu.gflops > n ? 'gpu' : 'cpu'
}
