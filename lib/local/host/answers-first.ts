/** Lets answers to requests go before what waits for nobody. */
export interface AnswersFirst {
  /** Answers a request. */
  answering<Answer>(answer: () => Promise<Answer>): Promise<Answer>;
  /** Acts once a request is answered that is under way now; at once when none is. */
  afterAnswer(act: () => void): void;
}

/**
 * On AWS, what follows from a request takes a computer of its own. Here it would take the time of the answer: the threads
 * share the machine.
 */
export const createAnswersFirst = (): AnswersFirst => {
  let underWay = 0;
  let waiting: (() => void)[] = [];
  return {
    answering: async (answer) => {
      underWay += 1;
      try {
        return await answer();
      } finally {
        underWay -= 1;
        // The answer is sent first.
        for (const act of waiting) setImmediate(act);
        waiting = [];
      }
    },
    afterAnswer: (act) => {
      if (underWay > 0) waiting.push(act);
      else act();
    },
  };
};
