/** The stores are plain (zustand/vanilla); this is where React subscribes to them. */
export { useStore } from 'zustand'
