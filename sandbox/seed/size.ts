/** The size of the seed. */

/** Cards set aside in the fixtures file. */
export interface PoolSizes {
  active: number;
  disposable: number;
  unused: number;
  fraud: number;
  foreign: number;
}

export interface SeedSize {
  /** Number of customers within reach, at least 5. */
  customers: number;
  /** Number of cards within reach besides those of the pools, at least 4. */
  cards: number;
  /** Number of customers of the portal login, itself included; limited by what `customers` has in that branch. */
  portalCustomers: number;
  pools: PoolSizes;
  /** Makes the identifiers of customers and cards from their default UUIDs. */
  identifier: (uuid: string) => string;
}

export const defaultSize: SeedSize = {
  customers: 150,
  cards: 150,
  portalCustomers: 40,
  pools: { active: 8, disposable: 10, unused: 5, fraud: 4, foreign: 4 },
  identifier: (uuid) => uuid,
};
