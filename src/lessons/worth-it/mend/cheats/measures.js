// Fails 'ended': looks for a GPU to measure by itself.
export default async function where(n) {
  const adapter = await navigator.gpu.requestAdapter()
  return adapter && n > 500 ? 'gpu' : 'cpu'
}
