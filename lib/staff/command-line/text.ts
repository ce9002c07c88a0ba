export * from '../text.ts';
