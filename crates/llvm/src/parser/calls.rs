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
        let call = self.call_rest()?;
        let ty = call.ret;
        Ok((Op::Call(Box::new(call)), ty))
    }

    /// Everything from the calling convention to the operand bundles.
    fn call_rest(&mut self) -> Res<Call> {
        self.prefix()?;
        let at = self.start;
        let ty = self.ty()?;
        let is_fn = matches!(self.module.types.get(ty), Type::Function { .. });
        let callee = self.operand_of(TypeId::PTR)?;
        let args = self.arguments()?;
        let fn_ty = match is_fn {
            true => ty,
            false => {
                if !self.module.types.is_first_class(ty) && ty != TypeId::VOID {
                    return self.error_at(at, "invalid return type of a call");
                }
                let params = args.iter().map(|arg| arg.value.ty).collect();
                self.intern_function(ty, params, false)
            }
        };
        let ret = self.check_arguments(fn_ty, &args, at)?;
        let attrs = self.call_attributes()?;
        self.skip_bundles()?;
        Ok(Call { fn_ty, ret, callee, args, attrs, members: None })
    }

    /// Compares arguments with the function type and returns its return type.
    fn check_arguments(&self, fn_ty: TypeId, args: &[Arg], at: usize) -> Res<TypeId> {
        let Some((ret, params, varargs)) = self.module.types.function(fn_ty) else {
            return self.error_at(at, "expected a function type");
        };
        let enough = args.len() == params.len() || varargs && args.len() > params.len();
        if !enough {
            return self.error_at(at, "number of arguments does not match the function type");
        }
        if args.iter().zip(params).any(|(arg, param)| arg.value.ty != *param) {
            return self.error_at(at, "type of an argument does not match the function type");
        }
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

    /// `[ "tag"(i32 1), "other"() ]`
    fn skip_bundles(&mut self) -> Res<()> {
        if self.at(b'[') { self.skip_balanced() } else { Ok(()) }
    }

    pub(super) fn invoke(&mut self) -> Res<(Op, TypeId)> {
        let call = self.call_rest()?;
        self.expect_word("to")?;
        let normal = self.label()?;
        self.expect_word("unwind")?;
        let unwind = self.label()?;
        let ty = call.ret;
        let op = Op::Invoke { call: Box::new(call), normal, unwind };
        Ok((op, ty))
    }

    pub(super) fn callbr(&mut self) -> Res<(Op, TypeId)> {
        let call = self.call_rest()?;
        self.expect_word("to")?;
        let fallthrough = self.label()?;
        let indirect = self.label_list()?;
        let ty = call.ret;
        let op = Op::CallBr { call: Box::new(call), fallthrough, indirect };
        Ok((op, ty))
    }
}
