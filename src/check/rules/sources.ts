/** Pages that several rules name. */
export const WAITING =
  'https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html#avoid-unnecessary-cpu-gpu-synchronization'
export const LOADING =
  'https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html#enable-asynchronous-data-loading-and-augmentation'
export const PINNED = 'https://docs.pytorch.org/tutorials/intermediate/pinmem_nonblock.html'
export const ASYNCHRONOUS = 'https://docs.pytorch.org/docs/stable/notes/cuda.html#asynchronous-execution'
/** A number that is read. */
export const SCALARS: readonly string[] = [
  WAITING,
  'https://github.com/pytorch/pytorch/blob/main/aten/src/ATen/native/cuda/CUDAScalar.cu',
]
