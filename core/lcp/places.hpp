#pragma once
// Where each variable of Lemke's method is in the dictionary.
#include "core/lcp/workspace.hpp"

namespace jostle {

/// Variables are numbered w_k = k, z_k = n + k, z0 = 2 n. After a refactorisation, w and z of some pairs have traded
/// names: k then means z_k if traded[k] is 1, and the refactorised basis is { 0 .. n-1 }.
struct LemkePlaces {
  int n;
  int* basic;     ///< n: the variable of each row
  int* nonbasic;  ///< n + 1: the variable of each column
  int* place;     ///< 2 n + 1: row r of a basic variable as r, column c of a nonbasic one as ~c
  int* traded;    ///< n: 0 or 1

  JOSTLE_HD LemkePlaces(int size, const LemkeWorkspace& workspace)
      : n(size),
        basic(workspace.basic),
        nonbasic(workspace.nonbasic),
        place(workspace.place),
        traded(workspace.traded) {}

  JOSTLE_HD int artificial() const { return 2 * n; }
  JOSTLE_HD int complement(int variable) const { return variable < n ? variable + n : variable - n; }

  /// The place of the true z_k; is_basic(k): whether it is a row.
  JOSTLE_HD int place_of_z(int k) const { return place[traded[k] ? k : n + k]; }
  JOSTLE_HD bool is_basic(int k) const { return place_of_z(k) >= 0; }

  /// Variable k in row k, its complement in column k, z0 in column n.
  template <class Team>
  JOSTLE_HD void set_initial(const Team& team) const {
    team.for_each(n, [p = *this](int i) {
      p.basic[i] = p.place[i] = i;
      p.nonbasic[i] = p.n + i;
      p.place[p.n + i] = ~i;
    });
    team.once([p = *this] {
      p.nonbasic[p.n] = p.artificial();
      p.place[p.artificial()] = ~p.n;
    });
  }

  /// A pivot. The team must have synced since row and column were chosen.
  template <class Team>
  JOSTLE_HD void exchange(const Team& team, int row, int column) const {
    team.once([=, p = *this] {
      const int leaving = p.basic[row];
      const int entering = p.nonbasic[column];
      p.basic[row] = entering;
      p.nonbasic[column] = leaving;
      p.place[entering] = row;
      p.place[leaving] = ~column;
    });
  }

  /// Every basic z_k trades names with its w_k, which must be nonbasic.
  template <class Team>
  JOSTLE_HD void trade_names(const Team& team) const {
    team.for_each(n, [p = *this](int i) {
      const int variable = p.basic[i];
      if (variable < p.n) return;
      p.basic[i] = p.complement(variable);
      p.place[p.basic[i]] = i;
    });
    team.for_each(n, [p = *this](int j) {
      const int variable = p.nonbasic[j];
      if (variable >= p.n) return;
      p.nonbasic[j] = p.complement(variable);
      p.place[p.nonbasic[j]] = ~j;
    });
  }
};

}  // namespace jostle
