//! Rules for `call`, `invoke` and `callbr`.

use super::{Parser, Res};
use crate::ast::ParamAttrs;
use crate::inst::{Arg, Call, Op};
use crate::lexer::Token;
use crate::types::{Type, TypeId};

impl<'a> Parser<'a> {
    /// `call` with its tail marker.
    pub(super) fn call(&mut self) -> Res<(Op, TypeId)> {
        if matches!(self.tok, Token::Word("tail" | "musttail" | "notail")) {
            self.bump();
        }
        self.expect_word("call")?;
        self.skip_op_flags();
        let (call, ty) = self.call_rest()?;
        Ok((Op::Call(call), ty))
    }

    /// Everything from the calling convention to the operand bundles, and the type of the result.
    fn call_rest(&mut self) -> Res<(Box<Call>, TypeId)> {
        self.prefix()?;
        let at = self.start;
        let ty = self.ty()?;
        let is_fn = matches!(self.module.types.get(ty), Type::Function { .. });
        let callee = self.operand_of(TypeId::PTR)?;
        let args = self.arguments()?;
        let fn_ty = if is_fn {
            ty
        } else {
            let returns = ty == TypeId::VOID || self.module.types.is_first_class(ty);
            self.check(returns, at, "invalid return type of a call")?;
            self.intern_function(ty, args.iter().map(|arg| arg.value.ty).collect(), false)
        };
        let ret = self.check_arguments(fn_ty, &args, at)?;
        let attrs = self.call_attributes()?;
        // Operand bundles: `[ "tag"(i32 1), "other"() ]`.
        if self.at(b'[') {
            self.skip_balanced()?;
        }
        Ok((Box::new(Call { fn_ty, ret, callee, args, attrs, members: None }), ret))
    }

    /// Compares arguments with the function type and returns its return type.
    fn check_arguments(&self, fn_ty: TypeId, args: &[Arg], at: usize) -> Res<TypeId> {
        let Some((ret, params, varargs)) = self.module.types.function(fn_ty) else {
            return self.error_at(at, "expected a function type");
        };
        let enough = args.len() == params.len() || varargs && args.len() > params.len();
        self.check(enough, at, "number of arguments does not match the function type")?;
        let fits = args.iter().zip(params).all(|(arg, param)| arg.value.ty == *param);
        self.check(fits, at, "type of an argument does not match the function type")?;
        Ok(ret)
    }

    fn arguments(&mut self) -> Res<Vec<Arg>> {
        // A musttail call in a variadic function forwards `...`.
        let (args, _) = self.parameter_list(|parser| {
            let ty = parser.ty()?;
            // Metadata has no attributes; the type of a value follows instead.
            let attrs = match ty {
                TypeId::METADATA => ParamAttrs::default(),
                _ => parser.param_attributes()?,
            };
            Ok(Arg { value: parser.operand_of(ty)?, attrs })
        })?;
        Ok(args)
    }

    pub(super) fn invoke(&mut self) -> Res<(Op, TypeId)> {
        let (call, ty) = self.call_rest()?;
        self.expect_word("to")?;
        let normal = self.label()?;
        self.expect_word("unwind")?;
        let unwind = self.label()?;
        Ok((Op::Invoke { call, normal, unwind }, ty))
    }

    pub(super) fn callbr(&mut self) -> Res<(Op, TypeId)> {
        let (call, ty) = self.call_rest()?;
        self.expect_word("to")?;
        let fallthrough = self.label()?;
        let indirect = self.label_list()?;
        Ok((Op::CallBr { call, fallthrough, indirect }, ty))
    }
}
