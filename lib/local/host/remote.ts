/** A call of something in another thread. */
export interface RemoteCall {
  readonly call: number;
  readonly method: string;
  readonly args: readonly unknown[];
}

/** What became of it. */
export type RemoteAnswer =
  | { readonly call: number; readonly result: unknown }
  | { readonly call: number; readonly error: string };

/** Calls what is in another thread. @param send gives a call to that thread */
export const createRemote = (send: (call: RemoteCall) => void) => {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let count = 0;
  return {
    call: (method: string, args: readonly unknown[]): Promise<unknown> => {
      count += 1;
      const answer = Promise.withResolvers<unknown>();
      waiting.set(count, answer);
      send({ call: count, method, args });
      return answer.promise;
    },
    /** Takes what came back. */
    settle: (answer: RemoteAnswer): void => {
      const asked = waiting.get(answer.call);
      waiting.delete(answer.call);
      if ('error' in answer) asked?.reject(new Error(answer.error));
      else asked?.resolve(answer.result);
    },
    /** The thread is gone. */
    end: (): void => {
      for (const { reject } of waiting.values()) reject(new Error('The thread has ended'));
      waiting.clear();
    },
  };
};

/** Answers a call. @param methods by name */
export const answerCall = async (
  { call, method, args }: RemoteCall,
  methods: Readonly<Record<string, (...args: never[]) => Promise<unknown>>>,
): Promise<RemoteAnswer> => {
  try {
    const called = methods[method];
    if (!called) throw new Error(`There is no ${method}`);
    return { call, result: await Reflect.apply(called, undefined, args) };
  } catch (error) {
    return { call, error: error instanceof Error ? error.message : String(error) };
  }
};
